/** A bucket's size in tokens and its refill in tokens per second. */
export interface Bucket {
  readonly capacity: number
  readonly refillPerSecond: number
}

/** Tokens per second: one a day, so that no client is told to wait longer than that. */
export const minRefill = 1 / 86_400
