import type { Bucket } from "../contract/bucket.ts"
import type { Allowance } from "./token-bucket.ts"

// Moments are milliseconds of this process's monotonic clock.

/**
 * For how long a token may be spent, in milliseconds since it was asked for. A bucket refills while its tokens lie leased,
 * so any number of proxies admit in a time t at most capacity + refill × (t + this). With the way back it is a second.
 */
const leaseLife = 850

/** Milliseconds that a lease should last: long enough for few calls, short enough to strand few tokens. */
const targetTime = 100

/** No proxy has more at hand than this part of the capacity. */
const largestPart = 1 / 16

/** What one proxy has of one shared bucket, and what it knows of the rest. */
export interface Lease {
  /** Granted and not spent, the oldest first. */
  readonly batches: Batch[]
  /** In all batches. */
  tokens: number
  /** Granted, and too old to be spent. */
  readonly unused: Batch[]
  /** More are asked for as soon as no more than so many are left; -1: not before a request waits. */
  lowMark: number
  /** How many were to be at hand when the store was asked last, at `askedAt`, and how many were spent since then. */
  size: number
  askedAt: number
  spent: number
  /** What the store had left, and when it said so; `undefined`: it has not answered yet. */
  rest: { readonly tokens: number; readonly at: number } | undefined
  refusal: Refusal | undefined
}

interface Batch {
  tokens: number
  readonly askedAt: number
}

interface Refusal {
  readonly bucket: Bucket
  /** The bucket has a whole token at some moment from `from` to `to`: all that is known of the store's clock. */
  readonly from: number
  readonly to: number
}

/** What the store granted, what it had left, and in how many milliseconds it has a whole token: 0 where it has one. */
export interface Grant {
  readonly granted: number
  readonly rest: number
  readonly wait: number
}

export function createLease(now: number): Lease {
  return {
    batches: [],
    tokens: 0,
    unused: [],
    lowMark: -1,
    size: 0,
    askedAt: now,
    spent: 0,
    rest: undefined,
    refusal: undefined,
  }
}

/** Spends a token; false where there is none. */
export function spendToken(lease: Lease, now: number): boolean {
  expireBatches(lease, now)
  const [batch] = lease.batches
  if (batch === undefined) return false
  batch.tokens--
  lease.tokens--
  lease.spent++
  if (batch.tokens === 0) lease.batches.shift()
  return true
}

/** What an allowed request is told: exact for a proxy that has the bucket to itself, else as old as the store's last answer. */
export function allowanceOf(lease: Lease, bucket: Bucket, now: number): Allowance {
  const limit = bucket.capacity
  const whole = lease.tokens + Math.floor(restOf(lease, bucket, now) + 1e-9)
  return { kind: "allowed", limit, remaining: Math.max(0, Math.min(limit - 1, whole)) }
}

/**
 * Plans how many tokens to lease beyond the `need` of the requests that wait: as many as are missing from what would last
 * for `targetTime`, and at most twice as many as were planned or spent before.
 */
export function planLease(lease: Lease, { capacity }: Bucket, need: number, now: number): number {
  const perMillisecond = lease.spent / Math.max(1, now - lease.askedAt)
  const size = Math.min(
    2 * Math.max(1, lease.size, lease.spent),
    Math.ceil(perMillisecond * targetTime),
    Math.floor(capacity * largestPart),
  )
  lease.size = size
  lease.askedAt = now
  lease.spent = 0
  return Math.max(0, size - need - lease.tokens)
}

/**
 * Adds what was asked for at `askedAt`. A refusal holds until the bucket has a token, and until the store may be asked
 * again, at `nextCallAt`.
 */
export function takeGrant(
  lease: Lease,
  bucket: Bucket,
  { granted, rest, wait }: Grant,
  {
    askedAt,
    nextCallAt,
    now,
  }: { readonly askedAt: number; readonly nextCallAt: number; readonly now: number },
): void {
  if (granted > 0) lease.batches.push({ tokens: granted, askedAt })
  lease.tokens += granted
  lease.rest = { tokens: rest, at: now }
  const from = Math.max(askedAt + wait, nextCallAt)
  lease.refusal = wait > 0 ? { bucket, from, to: Math.max(from, now + wait) } : undefined
}

/** The store's last refusal, while it holds. If the bucket's limit has changed since then, the store is asked again. */
export function refusalOf({ refusal }: Lease, bucket: Bucket, now: number): Allowance | undefined {
  if (refusal === undefined || now >= refusal.from) return undefined
  const { capacity, refillPerSecond } = refusal.bucket
  const isSame = capacity === bucket.capacity && refillPerSecond === bucket.refillPerSecond
  return isSame ? exhaustedOf(refusal, now) : undefined
}

/** What a refused request is told. */
export function exhaustedOf({ bucket, to }: Refusal, now: number): Allowance {
  return { kind: "exhausted", limit: bucket.capacity, retryAfter: Math.max(1, Math.ceil((to - now) / 1000)) }
}

/**
 * Takes out the tokens that nobody will spend: those that are too old, or all of them. They go back into the bucket, less
 * what it has refilled since they were asked for, for which it might have had no room had they stayed there. So leases
 * that are given back admit no more than the bucket alone would, however many there are.
 */
export function takeUnused(lease: Lease, bucket: Bucket, now: number, which: "old" | "all" = "old"): number {
  if (which === "old") expireBatches(lease, now)
  else lease.unused.push(...lease.batches.splice(0))
  if (which === "all") lease.tokens = 0
  return lease.unused
    .splice(0)
    .map(({ tokens, askedAt }) => tokens - ((now - askedAt) * bucket.refillPerSecond) / 1000)
    .reduce((sum, tokens) => sum + Math.max(0, tokens), 0)
}

function expireBatches(lease: Lease, now: number): void {
  for (let oldest = lease.batches[0]; oldest !== undefined; oldest = lease.batches[0]) {
    if (now - oldest.askedAt < leaseLife) return
    lease.batches.shift()
    lease.tokens -= oldest.tokens
    lease.unused.push(oldest)
  }
}

/** What the store has left by now, as far as can be known. */
export function restOf({ rest }: Lease, { capacity, refillPerSecond }: Bucket, now: number): number {
  if (rest === undefined) return capacity
  return Math.min(capacity, rest.tokens + ((now - rest.at) * refillPerSecond) / 1000)
}
