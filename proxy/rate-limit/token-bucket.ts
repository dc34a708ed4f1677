import type { Bucket } from "../contract/key-record.ts"

/** What a bucket holds: `tokens` at the moment `at`, in whole milliseconds of a monotonic clock. */
export interface BucketState {
  tokens: number
  at: number
}

/** What one request was told. `remaining` is in whole tokens, `retryAfter` in whole seconds, at least 1. */
export type Allowance =
  | { readonly kind: "allowed"; readonly limit: number; readonly remaining: number }
  | { readonly kind: "exhausted"; readonly limit: number; readonly retryAfter: number }

/** A bucket that nobody has drawn on yet: full. */
export function createBucketState(bucket: Bucket, now: number): BucketState {
  return { tokens: bucket.capacity, at: Math.floor(now) }
}

/**
 * Takes one token at `now` (milliseconds) and writes `state`. Who waits `retryAfter` seconds and is alone with the
 * bucket succeeds, so a refused request changes nothing: no number of them adds up to a rounding error. A clock that
 * goes back gives no tokens and takes none. `capacity` and `refillPerSecond` must be at least 1 and above 0.
 */
export function takeToken(state: BucketState, bucket: Bucket, now: number): Allowance {
  const moment = Math.floor(now) // whole milliseconds: their differences are exact
  if (moment < state.at) state.at = moment
  const refilled = ((moment - state.at) * bucket.refillPerSecond) / 1000
  const tokens = Math.min(bucket.capacity, state.tokens + refilled)
  if (tokens < 1 - rounding) {
    const seconds = Math.ceil((1 - rounding / 2 - tokens) / bucket.refillPerSecond)
    return { kind: "exhausted", limit: bucket.capacity, retryAfter: Math.max(1, seconds) }
  }
  state.tokens = Math.max(0, tokens - 1)
  state.at = moment
  return { kind: "allowed", limit: bucket.capacity, remaining: Math.floor(state.tokens + rounding) }
}

/** Tenths have no exact binary form: ten of them make 0.9999999999999999. */
const rounding = 1e-9
