import type { Bucket } from "../contract/key-record.ts"
import { type Allowance, type BucketState, takeToken } from "./token-bucket.ts"

/** What one of so many proxies may admit of a bucket by itself, so that together they stay near the limit. */
export function shareOf({ capacity, refillPerSecond }: Bucket, proxies: number): Bucket {
  return { capacity: Math.max(1, capacity / proxies), refillPerSecond: refillPerSecond / proxies }
}

/**
 * Takes a token from a proxy's own share; `rest` is what the whole bucket had left, by which a share begins. The client is
 * told the limit of the bucket, and what is left of the share.
 */
export function takeShare(
  before: BucketState | undefined,
  rest: number,
  bucket: Bucket,
  proxies: number,
  now: number,
): { readonly allowance: Allowance; readonly state: BucketState } {
  const share = shareOf(bucket, proxies)
  const begin = { tokens: Math.min(share.capacity, rest / proxies), last: Math.floor(now) }
  const { allowance, state } = takeToken(before ?? begin, share, now)
  return { allowance: { ...allowance, limit: bucket.capacity }, state }
}
