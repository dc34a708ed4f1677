import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { Bucket } from "../../../proxy/contract/bucket.ts"
import {
  allowanceOf,
  createLease,
  type Grant,
  type Lease,
  planLease,
  refusalOf,
  spendToken,
  takeGrant,
  takeUnused,
} from "../../../proxy/rate-limit/lease.ts"

const bucket = { capacity: 1600, refillPerSecond: 100 }

/** A lease that asked for `granted` tokens at `askedAt`, and got them at once. */
function grant(lease: Lease, granted: number, askedAt: number, changes: Partial<Grant> = {}): void {
  takeGrant(
    lease,
    bucket,
    { granted, rest: 1000, wait: 0, ...changes },
    { askedAt, nextCallAt: 0, now: askedAt },
  )
}

describe("spending", () => {
  test("takes what was granted, the oldest first, and no token that was asked for too long ago", () => {
    const lease = createLease(0)
    expect(spendToken(lease, 0)).toBe(false)
    grant(lease, 2, 0)
    grant(lease, 2, 500)
    expect([spendToken(lease, 849), lease.tokens]).toEqual([true, 3])
    expect([spendToken(lease, 850), lease.tokens]).toEqual([true, 1])
    expect([spendToken(lease, 1349), spendToken(lease, 1349)]).toEqual([true, false])
  })

  test("tells what is at hand and what the store had left, refilled since then, and never a full bucket", () => {
    const lease = createLease(0)
    grant(lease, 10, 0, { rest: 500.5 })
    expect(allowanceOf(lease, bucket, 0)).toEqual({ kind: "allowed", limit: 1600, remaining: 510 })
    expect(allowanceOf(lease, bucket, 5)).toMatchObject({ remaining: 511 })
    expect(allowanceOf(lease, bucket, 60_000)).toMatchObject({ remaining: 1599 })
  })
})

describe("giving back", () => {
  test("what is too old goes back, less what the bucket has refilled meanwhile", () => {
    const lease = createLease(0)
    grant(lease, 200, 0)
    for (let count = 0; count < 50; count++) spendToken(lease, 10)
    expect(takeUnused(lease, bucket, 849)).toBe(0)
    expect(takeUnused(lease, bucket, 1000)).toBe(150 - 100)
    expect([takeUnused(lease, bucket, 1000), lease.tokens]).toEqual([0, 0])
  })

  test("what is less than that is forgotten", () => {
    const lease = createLease(0)
    grant(lease, 50, 0)
    expect(takeUnused(lease, bucket, 1000)).toBe(0)
    expect(spendToken(lease, 1000)).toBe(false)
  })

  test("at the end all of it", () => {
    const lease = createLease(0)
    grant(lease, 20, 0)
    expect(takeUnused(lease, bucket, 100, "all")).toBe(10)
    expect(spendToken(lease, 100)).toBe(false)
  })
})

describe("the size", () => {
  test("grows to twice what was spent, to what lasts for 100 ms and to a sixteenth of the capacity", () => {
    const lease = createLease(0)
    const sizes = [1, 2, 4, 8, 5, 100, 100].map((spent, now) => {
      lease.spent = spent
      return planLease(lease, bucket, 0, now + 1) // a millisecond later
    })
    expect(sizes).toEqual([2, 4, 8, 16, 32, 100, 100])
    lease.spent = 3
    expect(planLease(lease, bucket, 0, 37)).toBe(10) // 3 in 30 ms
  })

  test("is filled up, so that with what is left it is not exceeded", () => {
    const lease = createLease(0)
    lease.size = 100
    lease.spent = 50
    grant(lease, 50, 0)
    expect(planLease(lease, bucket, 0, 10)).toBe(50)
    lease.spent = 50
    expect(planLease(lease, bucket, 20, 20)).toBe(30)
  })

  test("is one for a client that asks now and then, and counts those who wait", () => {
    const lease = createLease(0)
    lease.spent = 1
    expect(planLease(lease, bucket, 1, 2_000)).toBe(0)
    lease.spent = 40
    expect(planLease(lease, bucket, 30, 2_001)).toBe(50)
    lease.spent = 1
    expect(planLease(lease, { capacity: 15, refillPerSecond: 1 }, 0, 2_002)).toBe(0)
  })
})

describe("a refusal", () => {
  const empty = { rest: 0.5, wait: 5_010 }

  test("holds as long as the store said, counted so that nobody is refused too long or told too little", () => {
    const lease = createLease(0)
    takeGrant(lease, bucket, { granted: 0, ...empty }, { askedAt: 0, nextCallAt: 0, now: 20 })
    expect(refusalOf(lease, bucket, 20)).toEqual({ kind: "exhausted", limit: 1600, retryAfter: 6 })
    expect(refusalOf(lease, bucket, 30)).toMatchObject({ retryAfter: 5 })
    expect(refusalOf(lease, bucket, 5_009)).toMatchObject({ retryAfter: 1 })
    expect(refusalOf(lease, bucket, 5_010)).toBeUndefined()
  })

  test("holds until the store may be asked again", () => {
    const lease = createLease(0)
    takeGrant(lease, bucket, { granted: 0, rest: 0, wait: 1 }, { askedAt: 0, nextCallAt: 6, now: 0 })
    expect(refusalOf(lease, bucket, 5)).toMatchObject({ retryAfter: 1 })
    expect(refusalOf(lease, bucket, 6)).toBeUndefined()
  })

  test("is forgotten when the bucket is changed, and when the store has tokens again", () => {
    const lease = createLease(0)
    grant(lease, 0, 0, empty)
    expect(refusalOf(lease, { ...bucket, capacity: 1601 }, 1)).toBeUndefined()
    expect(refusalOf(lease, { ...bucket, refillPerSecond: 101 }, 1)).toBeUndefined()
    expect(refusalOf(lease, { ...bucket }, 1)).toBeDefined()
    grant(lease, 0, 2)
    expect(refusalOf(lease, bucket, 3)).toBeUndefined()
  })
})

// The store's arithmetic, as take-script.test.ts holds it on a real one.
function createModel({ capacity, refillPerSecond }: Bucket) {
  let [tokens, at] = [capacity, 0]
  return (now: number, settle: number, need: number, lease: number): Grant => {
    tokens = Math.min(capacity, tokens + ((now - at) * refillPerSecond) / 1000)
    tokens = Math.max(0, Math.min(capacity, tokens + settle))
    at = now
    const whole = Math.floor(tokens + 1e-9)
    const needed = Math.min(need, whole)
    const granted = needed + Math.max(0, Math.min(lease, Math.floor((whole - needed) / 8)))
    tokens = Math.max(0, tokens - granted)
    return {
      granted,
      rest: tokens,
      wait: tokens < 1 ? Math.ceil(((1 - tokens) * 1000) / refillPerSecond) : 0,
    }
  }
}

test("however leases lie, in any time t no more is spent than capacity + refill × (t + a lease's life)", () => {
  const proxy = fc.nat(7)
  const act = fc.oneof(
    fc.record({ kind: fc.constant("lease" as const), proxy, size: fc.nat(200) }),
    fc.record({ kind: fc.constant("spend" as const), proxy, count: fc.nat(200) }),
    fc.record({ kind: fc.constant("pause" as const), time: fc.nat(3_000), givesBack: fc.boolean() }),
  )
  const everybody = <T>(each: (proxy: number) => T): T[] =>
    Array.from({ length: 8 }, (_, proxy) => each(proxy))
  const anyBucket = fc.record({
    capacity: fc.integer({ min: 1, max: 200 }),
    refillPerSecond: fc.integer({ min: 1, max: 50 }),
  })
  fc.assert(
    fc.property(anyBucket, fc.array(act, { maxLength: 80, size: "max" }), (some, acts) => {
      const ask = createModel(some)
      const leases = everybody(() => createLease(0))
      const spent: number[] = []
      let now = 0
      const call = (lease: Lease, need: number, more: number): void => {
        const grant = ask(now, takeUnused(lease, some, now), need, more)
        takeGrant(lease, some, grant, { askedAt: now, nextCallAt: 0, now })
      }
      for (const act of acts) {
        const lease = leases[act.kind === "pause" ? 0 : act.proxy] ?? createLease(now)
        if (act.kind === "lease")
          call(lease, 0, act.size) // larger than any plan
        else if (act.kind === "pause") {
          now += act.time
          if (act.givesBack) for (const lease of leases) call(lease, 0, 0)
        } else
          for (let count = 0; count < act.count; count++) {
            if (spendToken(lease, now)) spent.push(now)
            else call(lease, 1, 0)
          }
      }
      // Each count less what may be spent until then rises by at most a capacity and the refill of a lease's life.
      const perMillisecond = some.refillPerSecond / 1000
      let lowest = Number.POSITIVE_INFINITY
      for (const [count, moment] of spent.entries()) {
        lowest = Math.min(lowest, count - moment * perMillisecond)
        const most = some.capacity + 850 * perMillisecond
        expect(count + 1 - moment * perMillisecond - lowest).toBeLessThanOrEqual(most + 1e-6)
      }
    }),
    {
      numRuns: 100,
      examples: [
        [
          { capacity: 200, refillPerSecond: 10 }, // leased and left to lie while the bucket fills, then spent at once
          [
            ...everybody((proxy) => ({ kind: "lease" as const, proxy, size: 200 })),
            { kind: "pause", time: 20_000, givesBack: false },
            ...everybody((proxy) => ({ kind: "spend" as const, proxy, count: 200 })),
          ],
        ],
        [
          { capacity: 200, refillPerSecond: 50 }, // leased, refilled and drawn on, and then given back
          [
            ...everybody((proxy) => ({ kind: "lease" as const, proxy, size: 200 })),
            { kind: "pause", time: 840, givesBack: false },
            { kind: "spend", proxy: 0, count: 400 },
            { kind: "pause", time: 20, givesBack: true },
            { kind: "spend", proxy: 0, count: 400 },
          ],
        ],
      ],
    },
  )
})
