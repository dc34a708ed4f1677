import type { Bucket } from "../contract/bucket.ts"
import type { Allowance } from "./token-bucket.ts"

/** Where the buckets are kept that several proxies may share. */
export interface RateLimitStore {
  /**
   * Takes one token from the bucket called `id` at `now` (milliseconds, monotonic); the first take finds it full. Every
   * request waits for the answer, so it is a promise only where it cannot be known at once; that never rejects.
   */
  take(id: string, bucket: Bucket, now: number): Allowance | Promise<Allowance>
}

/** Where buckets are kept that belong to this process alone. */
export interface LocalRateLimitStore extends RateLimitStore {
  take(id: string, bucket: Bucket, now: number): Allowance
}
