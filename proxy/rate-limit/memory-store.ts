import type { RateLimitStore } from "./rate-limit-store.ts"
import { type BucketState, createBucketState, takeToken } from "./token-bucket.ts"

/**
 * Buckets in this process's memory, at most `maxBuckets`. When the table is full the oldest bucket makes room: whoever
 * can draw on that many names gains a full bucket by it, and the table stays as small as before.
 */
export function createMemoryStore(maxBuckets: number): RateLimitStore {
  const states = new Map<string, BucketState>()
  return {
    take(id, bucket, now) {
      let state = states.get(id)
      if (state === undefined) {
        if (states.size >= maxBuckets) forgetOldest(states)
        state = createBucketState(bucket, now)
        states.set(id, state)
      }
      return takeToken(state, bucket, now)
    },
  }
}

function forgetOldest(states: Map<string, BucketState>): void {
  for (const id of states.keys()) {
    states.delete(id)
    return
  }
}
