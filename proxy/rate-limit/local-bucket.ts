import { type Bucket, minRefill } from "../contract/bucket.ts"
import { type Allowance, type BucketState, takeToken } from "./token-bucket.ts"

/**
 * The bucket that each of so many proxies has while the store of the shared one is away, so that together they stay near
 * the limit. Like every bucket it holds at least one token, and refills at least one a day.
 */
function localBucketOf({ capacity, refillPerSecond }: Bucket, proxies: number): Bucket {
  return {
    capacity: Math.max(1, capacity / proxies),
    refillPerSecond: Math.max(Math.min(minRefill, refillPerSecond), refillPerSecond / proxies),
  }
}

/**
 * Takes a token from a local bucket; a new one begins with its part of the `rest` that the shared bucket had left. The
 * client is told the limit of the shared bucket, and what is left of the local one.
 */
export function takeLocally(
  before: BucketState | undefined,
  rest: number,
  bucket: Bucket,
  proxies: number,
  now: number,
): { readonly allowance: Allowance; readonly state: BucketState } {
  const local = localBucketOf(bucket, proxies)
  const begin = { tokens: Math.min(local.capacity, rest / proxies), last: Math.floor(now) }
  const { allowance, state } = takeToken(before ?? begin, local, now)
  return { allowance: { ...allowance, limit: bucket.capacity }, state }
}
