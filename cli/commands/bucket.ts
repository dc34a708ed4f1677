import { type Bucket, minRefill } from "../../proxy/contract/bucket.ts"

/**
 * The bucket that `capacity/refill` describes, refill in tokens per second: `100/10`, `5/0.5`. `undefined` for any
 * other string.
 */
export function parseBucket(text: string): Bucket | undefined {
  const [, capacity, refillPerSecond] = /^(\d{1,15})\/(\d{1,15}(?:\.\d{1,9})?)$/.exec(text) ?? []
  const bucket = { capacity: Number(capacity), refillPerSecond: Number(refillPerSecond) }
  return bucket.capacity >= 1 && bucket.refillPerSecond >= minRefill ? bucket : undefined
}
