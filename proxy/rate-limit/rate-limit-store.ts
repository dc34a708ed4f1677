import type { Bucket } from "../contract/key-record.ts"
import type { Allowance } from "./token-bucket.ts"

/** Where the buckets are. Synchronous: it stands in the path of every request. */
export interface RateLimitStore {
  /** Takes one token from the bucket called `id` at `now` (milliseconds, monotonic); the first take finds it full. */
  take(id: string, bucket: Bucket, now: number): Allowance
}
