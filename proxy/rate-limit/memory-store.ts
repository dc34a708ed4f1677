import type { LocalRateLimitStore } from "./rate-limit-store.ts"
import { type BucketState, createBucketState, takeToken } from "./token-bucket.ts"

/**
 * Buckets in this process's memory, at most `maxBuckets`. When the table is full, the oldest bucket makes room. A client
 * with that many names gains a full bucket by it, but no memory.
 */
export function createMemoryStore(maxBuckets: number): LocalRateLimitStore {
  const states = new Map<string, BucketState>()
  return {
    take(id, bucket, now) {
      const before = states.get(id)
      if (before === undefined && states.size >= maxBuckets) deleteOldest(states)
      const { allowance, state } = takeToken(before ?? createBucketState(bucket, now), bucket, now)
      if (state !== before) states.set(id, state)
      return allowance
    },
  }
}

function deleteOldest(states: Map<string, BucketState>): void {
  for (const id of states.keys()) {
    states.delete(id)
    return
  }
}
