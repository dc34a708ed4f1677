/** Runs something now or, if it is already running, once more afterwards. */
export type Turns<Result> = (isForced: boolean) => Promise<Result>

/** Calls take turns; those that wait merge into one, which is forced if one of them is. `run` never rejects. */
export function createTurns<Result>(run: Turns<Result>): Turns<Result> {
  let last: Promise<unknown> = Promise.resolve()
  let queued: Promise<Result> | undefined
  let isQueuedForced = false

  function takeTurn(): Promise<Result> {
    const isForced = isQueuedForced
    queued = undefined
    isQueuedForced = false
    return run(isForced)
  }

  return (isForced) => {
    isQueuedForced ||= isForced
    queued ??= last.then(takeTurn)
    last = queued
    return queued
  }
}
