import { setTimeout as sleep } from "node:timers/promises"
import type { Bucket } from "../contract/bucket.ts"
import type { Allowance } from "./token-bucket.ts"

interface Waiter {
  readonly bucket: Bucket
  readonly since: number
  readonly answer: (allowance: Allowance) => void
}

/**
 * Combines requests with the same key into batches: those that arrive while a call is under way wait for the next one,
 * and each key has at most one call per millisecond. `decide` returns an allowance for each of `count` requests, the
 * first of which came at `since`; it never rejects.
 */
export function createBatches(
  decide: (id: string, bucket: Bucket, count: number, since: number) => Promise<readonly Allowance[]>,
): (id: string, bucket: Bucket, now: number) => Promise<Allowance> {
  /** The requests that wait for a key's next call; a key is in here from its first call to its last. */
  const queues = new Map<string, Waiter[]>()

  async function empty(id: string, queue: Waiter[]): Promise<void> {
    for (let [first] = queue; first !== undefined; [first] = queue) {
      const batch = queue.splice(0)
      const pause = sleep(1)
      const bucket = batch.at(-1)?.bucket ?? first.bucket // the key file may have changed
      const allowances = await decide(id, bucket, batch.length, first.since)
      for (const [index, allowance] of allowances.entries()) batch[index]?.answer(allowance)
      await pause
    }
    queues.delete(id)
  }

  return (id, bucket, since) =>
    new Promise((answer) => {
      const queue = queues.get(id) ?? []
      queue.push({ bucket, since, answer })
      if (queues.has(id)) return
      queues.set(id, queue)
      void empty(id, queue)
    })
}
