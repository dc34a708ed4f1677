import { Failure } from "../failure.ts"
import type { PublishTarget } from "./target.ts"

/** Milliseconds after the limit that remain to undo what was begun. */
const grace = 30_000

/** `overdue` rejects when all time is used up, even if an operation hangs, as even a local file can. */
interface LimitedTarget extends PublishTarget {
  readonly overdue: Promise<never>
}

/**
 * A target that gives up `limit` milliseconds after this call: it rejects the operation under way, or else the next one.
 * Later ones serve to undo what was begun, and are given up after 30 s. Closing the target ends its timer.
 */
export function limitTime(target: PublishTarget, limit: number): LimitedTarget {
  const { promise: overdue, reject: giveUp } = Promise.withResolvers<never>()
  overdue.catch(() => undefined) // usually nothing is waiting for it then
  const underWay = new Set<(error: Failure) => void>()
  let phase: "open" | "due" | "grace" | "over" = "open"

  function rejectAll(): boolean {
    for (const reject of underWay) reject(timeIsUp(limit))
    return underWay.size > 0
  }
  let timer = setTimeout(() => {
    phase = rejectAll() ? "grace" : "due"
    timer = setTimeout(() => {
      phase = "over"
      rejectAll()
      giveUp(timeIsUp(limit))
    }, grace)
  }, limit)

  function timed<T>(work: () => Promise<T>): Promise<T> {
    if (phase === "due" || phase === "over") {
      if (phase === "due") phase = "grace"
      return Promise.reject(timeIsUp(limit))
    }
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
