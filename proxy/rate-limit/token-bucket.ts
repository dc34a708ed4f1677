import type { Bucket } from "../contract/bucket.ts"

/** The state of a bucket when it was last drawn on: it had `tokens` at `last`, in whole milliseconds of a monotonic clock. */
export interface BucketState {
  readonly tokens: number
  readonly last: number
}

/** The answer to one request. `remaining` is in whole tokens, `retryAfter` in whole seconds, at least 1. */
export type Allowance =
  | { readonly kind: "allowed"; readonly limit: number; readonly remaining: number }
  | { readonly kind: "exhausted"; readonly limit: number; readonly retryAfter: number }

/** A full bucket. */
export function createBucketState(bucket: Bucket, now: number): BucketState {
  return { tokens: bucket.capacity, last: Math.floor(now) }
}

/**
 * Takes one token at `now` (milliseconds), and returns the answer and the new state. A client that waits `retryAfter`
 * seconds and has the bucket to itself succeeds; therefore a refused request changes nothing, or rounding errors would
 * add up. A clock that goes back neither gives nor takes tokens. `capacity` is at least 1, `refillPerSecond` above 0.
 */
export function takeToken(
  before: BucketState,
  { capacity: limit, refillPerSecond }: Bucket,
  now: number,
): { readonly allowance: Allowance; readonly state: BucketState } {
  const moment = Math.floor(now) // differences of whole milliseconds are exact
  const last = Math.min(before.last, moment)
  const tokens = Math.min(limit, before.tokens + ((moment - last) * refillPerSecond) / 1000)
  if (tokens < 1 - rounding) {
    const seconds = Math.ceil((1 - rounding / 2 - tokens) / refillPerSecond)
    const state = last === before.last ? before : { tokens: before.tokens, last }
    return { allowance: { kind: "exhausted", limit, retryAfter: Math.max(1, seconds) }, state }
  }
  const left = Math.max(0, tokens - 1)
  const allowance: Allowance = { kind: "allowed", limit, remaining: Math.floor(left + rounding) }
  return { allowance, state: { tokens: left, last: moment } }
}

/** Tenths have no exact binary form: ten of them add up to 0.9999999999999999. */
const rounding = 1e-9
