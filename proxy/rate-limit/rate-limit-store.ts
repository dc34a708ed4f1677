import type { Bucket } from "../contract/key-record.ts"
import type { Allowance } from "./token-bucket.ts"

/** Where the buckets are kept. Synchronous: every request waits for it. */
export interface RateLimitStore {
  /** Takes one token from the bucket called `id` at `now` (milliseconds, monotonic); the first take finds it full. */
  take(id: string, bucket: Bucket, now: number): Allowance
}
