/** Does strangers' work in small steps, so that other requests are answered meanwhile. */
export interface EvaluationQueue {
  /** Resolves with what `work` returns. `work` may be paused wherever it yields. */
  run<T>(address: string, work: Iterator<void, T>): Promise<T>
}

/**
 * Addresses get the same time, however long their steps are: a busy address waits for its own work, and others for as
 * much of it as they have themselves, and one step. `connections` is how many have been accepted so far.
 */
export function createEvaluationQueue(
  monotonicNow: () => number,
  connections: () => number = () => 0,
): EvaluationQueue {
  /** By address; those that have used as much are in the order of their turns. */
  const waiting = new Map<string, Line>()
  let accepted = connections()
  let lastTurn = monotonicNow()

  function takeTurns(): void {
    const begin = monotonicNow()
    if (!isAccepting(begin)) takeTurn(begin)
    if (waiting.size > 0) setImmediate(takeTurns)
  }

  /** Node accepts one connection between two turns, so the last of a hundred would wait for a hundred turns. */
  function isAccepting(now: number): boolean {
    const before = accepted
    accepted = connections()
    return accepted !== before && now < lastTurn + longestAccepting
  }

  function takeTurn(begin: number): void {
    const end = begin + longestTurn
    const isOver = () => monotonicNow() >= end
    lastTurn = begin
    for (let line = leastUsed(); line !== undefined && lastTurn < end; line = leastUsed()) {
      waiting.delete(line.address)
      if (line.tasks[0]?.(isOver)) line.tasks.shift()
      const now = monotonicNow()
      line.used += now - lastTurn
      lastTurn = now
      if (line.tasks.length > 0) waiting.set(line.address, line)
    }
  }

  function leastUsed(): Line | undefined {
    let least: Line | undefined
    for (const line of waiting.values()) if (least === undefined || line.used < least.used) least = line
    return least
  }

  function add(address: string, task: Task): void {
    const line = waiting.get(address)
    if (line !== undefined) return void line.tasks.push(task)
    if (waiting.size === 0) setImmediate(takeTurns)
    // As if it had been there before: whoever has just come may not keep the others waiting.
    waiting.set(address, { address, tasks: [task], used: leastUsed()?.used ?? 0 })
  }

  return {
    run: (address, work) =>
      new Promise((resolve, reject) => {
        add(address, (isOver) => {
          try {
            for (;;) {
              const { done, value } = work.next()
              if (done) {
                resolve(value)
                return true
              }
              if (isOver()) return false
            }
          } catch (error) {
            reject(error)
            return true
          }
        })
      }),
  }
}

/** Continues until it is done, and returns true, or until the turn is over, and returns false. */
type Task = (isOver: () => boolean) => boolean

/** The work of one address. */
interface Line {
  readonly address: string
  readonly tasks: Task[]
  /** Milliseconds. */
  used: number
}

/** Milliseconds. A step that is longer ends its turn. */
const longestTurn = 1

/** Milliseconds between two turns: whoever opens connections all the time must not stop the work. */
const longestAccepting = 50
