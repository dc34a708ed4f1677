import type { Bucket } from "../contract/bucket.ts"
import {
  allowanceOf,
  createLease,
  exhaustedOf,
  type Grant,
  planLease,
  refusalOf,
  restOf,
  spendToken,
  takeGrant,
  takeUnused,
} from "./lease.ts"
import { takeLocally } from "./local-bucket.ts"
import { startPatientTimer } from "./patient-timer.ts"
import type { Allowance, BucketState } from "./token-bucket.ts"

/** How many requests were decided by a lease or a known refusal, by the store's answer, and by a local bucket. */
export interface Decisions {
  lease: number
  store: number
  local: number
}

/** What the store is asked for: see `take-script.ts`. */
export interface TakeRequest {
  readonly settle: number
  readonly need: number
  readonly lease: number
}

export interface SharedBucketParts {
  /** Rejects where the store fails; then it is away already. */
  readonly ask: (bucket: Bucket, asked: TakeRequest) => Promise<Grant>
  readonly isAway: () => boolean
  /** How many proxies share the bucket. */
  readonly proxies: () => number
  /** Milliseconds that a request may wait for the store. */
  readonly wait: number
  readonly monotonicNow: () => number
  readonly decisions: Decisions
}

/** One bucket of the store as this proxy draws on it: at most one call at a time, which all waiting requests share. */
export interface SharedBucket {
  take(bucket: Bucket, now: number): Allowance | Promise<Allowance>
  /** Answers all waiting requests from the local bucket, because the store is away. */
  release(): void
  /** Gives back the tokens that are too old, and tells the store what was admitted without it. */
  settle(): void
  /** Gives everything back. */
  giveBack(): Promise<unknown>
  /** Whether nothing is lost if it is forgotten. */
  isIdle(now: number): boolean
}

/** Milliseconds between two calls in the long run, and how many may come at once: fewer than 200 in any second. */
const callInterval = 1000 / 150
const callBurst = 20

/** Milliseconds. */
const idleTime = 60_000

interface Waiter {
  readonly answer: (allowance: Allowance) => void
  cancelTimer: () => void
}

export function createSharedBucket(first: Bucket, parts: SharedBucketParts): SharedBucket {
  const { isAway, monotonicNow, decisions } = parts
  const lease = createLease(monotonicNow())
  const waiters = new Set<Waiter>()
  let bucket = first
  let call: Promise<void> | undefined
  let nextCallAt = 0
  let isCallDue = false
  let takenAt = 0
  /** The local bucket, and what was admitted from it that the store does not know yet. */
  let local: BucketState | undefined
  let owed = 0

  function takeOwn(now: number): Allowance {
    const taken = takeLocally(local, restOf(lease, bucket, now), bucket, parts.proxies(), now)
    local = taken.state
    if (taken.allowance.kind === "allowed") owed++
    decisions.local++
    return taken.allowance
  }

  function answer(waiter: Waiter, allowance: Allowance): void {
    waiters.delete(waiter)
    waiter.cancelTimer()
    waiter.answer(allowance)
  }

  function wait(): Promise<Allowance> {
    return new Promise((resolve) => {
      const waiter: Waiter = { answer: resolve, cancelTimer: () => undefined }
      waiters.add(waiter)
      askForMore()
      // After the call's own timer: when this one fires, the breaker is open.
      waiter.cancelTimer = startPatientTimer(parts.wait, () => answer(waiter, takeOwn(monotonicNow())))
    })
  }

  function askForMore(): void {
    if (call !== undefined || isAway()) return
    const now = monotonicNow()
    if (now < nextCallAt) {
      if (waiters.size > 0) askLater(nextCallAt - now)
      return
    }
    const leased = planLease(lease, bucket, waiters.size, now)
    if (waiters.size > 0 || leased > 1) ask(waiters.size, leased, now)
    else lease.lowMark = -1
  }

  function askLater(milliseconds: number): void {
    if (isCallDue) return
    isCallDue = true
    setTimeout(() => {
      isCallDue = false
      if (waiters.size > 0) askForMore()
    }, milliseconds)
  }

  function ask(need: number, leased: number, askedAt: number, unused = takeUnused(lease, bucket, askedAt)) {
    const [asked, debt] = [bucket, owed]
    nextCallAt = Math.max(nextCallAt, askedAt - callBurst * callInterval) + callInterval
    const own: Promise<void> = parts.ask(asked, { settle: unused - debt, need, lease: leased }).then(
      (grant) => {
        end()
        owed = Math.max(0, owed - debt)
        if (owed === 0) local = undefined
        land(asked, grant, askedAt)
      },
      () => end(),
    )
    const end = (): void => {
      if (call === own) call = undefined
    }
    call = own
  }

  function land(asked: Bucket, grant: Grant, askedAt: number): void {
    const now = monotonicNow()
    takeGrant(lease, asked, grant, { askedAt, nextCallAt, now })
    const { refusal } = lease
    for (const waiter of waiters) {
      const allowance = spendToken(lease, now)
        ? allowanceOf(lease, asked, now)
        : refusal && exhaustedOf(refusal, now)
      if (allowance === undefined) break
      decisions.store++
      answer(waiter, allowance)
    }
    lease.lowMark = lease.tokens > 1 ? Math.floor(lease.tokens / 2) : -1
    if (waiters.size > 0) askForMore()
  }

  return {
    take(latest, now) {
      bucket = latest
      takenAt = now
      if (spendToken(lease, now)) {
        decisions.lease++
        if (lease.tokens <= lease.lowMark) askForMore()
        return allowanceOf(lease, bucket, now)
      }
      const refusal = refusalOf(lease, bucket, now)
      if (refusal !== undefined) {
        decisions.lease++
        return refusal
      }
      return isAway() ? takeOwn(now) : wait()
    },
    release() {
      call = undefined
      for (const waiter of waiters) answer(waiter, takeOwn(monotonicNow()))
    },
    settle() {
      if (call !== undefined || isAway()) return
      const now = monotonicNow()
      const unused = takeUnused(lease, bucket, now)
      if (unused > 0 || owed > 0) ask(0, 0, now, unused)
    },
    async giveBack() {
      await call
      const now = monotonicNow()
      const unused = takeUnused(lease, bucket, now, "all")
      if (unused > 0 || owed > 0) ask(0, 0, now, unused)
      await call
    },
    isIdle: (now) =>
      call === undefined &&
      waiters.size === 0 &&
      lease.tokens === 0 &&
      owed === 0 &&
      now - takenAt > idleTime,
  }
}
