import { Failure } from "../failure.ts"
import type { PublishTarget } from "./target.ts"

/** Milliseconds after the limit that a command has to say what became of it. */
const grace = 1_000

/** `overdue` rejects when all time is used up, even if something else hangs, as even a local file can. */
interface LimitedTarget extends PublishTarget {
  readonly overdue: Promise<never>
}

/**
 * A target that gives up `limit` milliseconds after this call: it rejects the operations under way, and all later ones.
 * Closing it ends its timer.
 */
export function limitTime(target: PublishTarget, limit: number): LimitedTarget {
  const { promise: overdue, reject: giveUp } = Promise.withResolvers<never>()
  overdue.catch(() => undefined) // usually nothing is waiting for it then
  const underWay = new Set<(error: Failure) => void>()
  let isDue = false
  let timer = setTimeout(() => {
    isDue = true
    for (const reject of underWay) reject(timeIsUp(limit))
    timer = setTimeout(() => giveUp(timeIsUp(limit)), grace)
  }, limit)

  function timed<T>(work: () => Promise<T>): Promise<T> {
    if (isDue) return Promise.reject(timeIsUp(limit))
    return new Promise((done, reject) => {
      underWay.add(reject)
      work()
        .then(done, reject)
        .finally(() => underWay.delete(reject))
    })
  }

  return {
    ...target,
    overdue,
    read: (path) => timed(() => target.read(path)),
    write: (file, condition) => timed(() => target.write(file, condition)),
    remove: (path) => timed(() => target.remove(path)),
    async close() {
      clearTimeout(timer)
      await target.close()
    },
  }
}

function timeIsUp(limit: number): Failure {
  return new Failure(`this took longer than --time-limit allows (${limit / 1000} s)`)
}
