import type { Bucket } from "../contract/bucket.ts"
import { type Allowance, type BucketState, createBucketState, takeToken } from "./token-bucket.ts"

/** A store of buckets, by the name of the key or address that draws on them. */
export interface RateLimitStore<Answer = Allowance | Promise<Allowance>> {
  /** Takes one token at `now` (milliseconds, monotonic). Returns a promise only if it must: every request waits for it. */
  take(id: string, bucket: Bucket, now: number): Answer
}

/** A store of this process only. */
export type LocalRateLimitStore = RateLimitStore<Allowance>

/**
 * Buckets in this process's memory, at most `maxBuckets`. When the table is full, the oldest bucket is dropped. A
 * client with that many names gains full buckets, but uses no more memory.
 */
export function createMemoryStore(maxBuckets: number): LocalRateLimitStore {
  const states = new Map<string, BucketState>()
  return {
    take(id, bucket, now) {
      const before = states.get(id)
      if (before === undefined && states.size >= maxBuckets) states.delete(states.keys().next().value ?? "")
      const { allowance, state } = takeToken(before ?? createBucketState(bucket, now), bucket, now)
      if (state !== before) states.set(id, state)
      return allowance
    },
  }
}
