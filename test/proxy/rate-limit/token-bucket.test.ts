import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type Bucket, minRefill } from "../../../proxy/contract/key-record.ts"
import { type Allowance, createBucketState, takeToken } from "../../../proxy/rate-limit/token-bucket.ts"

/** A bucket that is drawn on again and again. */
function createTap(bucket: Bucket, start: number) {
  const tap = {
    state: createBucketState(bucket, start),
    take(now: number): Allowance {
      const { allowance, state } = takeToken(tap.state, bucket, now)
      tap.state = state
      return allowance
    },
  }
  return tap
}

const bucket = { capacity: 3, refillPerSecond: 2 }

describe("steps of time and what they are answered", () => {
  test.each<[string, readonly (readonly [now: number, remaining: number | `wait ${number}`])[]]>([
    [
      "a full bucket, emptied at once",
      [
        [0, 2],
        [0, 1],
        [0, 0],
        [0, "wait 1"],
      ],
    ],
    [
      "half a second is a token",
      [
        [0, 2],
        [0, 1],
        [0, 0],
        [499, "wait 1"],
        [500, 0],
        [500, "wait 1"],
        [1000, 0],
      ],
    ],
    [
      "it never holds more than its capacity",
      [
        [0, 2],
        [1_000_000_000, 2],
        [1_000_000_000, 1],
      ],
    ],
    [
      "a clock that goes back gives nothing and takes nothing",
      [
        [10_000, 2],
        [10_000, 1],
        [2_000, 0],
        [2_000, "wait 1"],
        [2_500, 0],
        [10_000, 2],
      ],
    ],
  ])("%s", (_, steps) => {
    const tap = createTap(bucket, steps[0]?.[0] ?? 0)
    const answers = steps.map(([now]) => {
      const allowance = tap.take(now)
      return [now, allowance.kind === "allowed" ? allowance.remaining : `wait ${allowance.retryAfter}`]
    })
    expect(answers).toEqual(steps)
  })
})

const anyBucket = fc.record({
  capacity: fc.integer({ min: 1, max: 1_000_000 }),
  refillPerSecond: fc.oneof(
    fc.integer({ min: 1, max: 100_000 }),
    fc.double({ min: 0.0001, max: 1000, noNaN: true }),
    fc.constantFrom(0.1, 0.3, 1 / 3, 0.7, 0.9999999999),
  ),
})
const anyStart = fc.double({ min: 0, max: 1e9, noNaN: true })
const anySteps = fc.array(fc.double({ min: -1000, max: 100_000, noNaN: true }), { maxLength: 50 })

test("a client that waits exactly as long as it was told succeeds, and a second less does not", () => {
  fc.assert(
    fc.property(anyBucket, anyStart, anySteps, (some, start, steps) => {
      const tap = createTap(some, start)
      let now = start
      for (const step of steps) {
        now = Math.max(0, now + step)
        tap.take(now)
      }
      tap.state = { ...tap.state, tokens: Math.min(tap.state.tokens, 0.999) } // skip the long way to an empty bucket
      const refused = tap.take(now)
      expect(refused.kind).toBe("exhausted")
      if (refused.kind !== "exhausted") return
      expect(Number.isSafeInteger(refused.retryAfter)).toBe(true)
      expect(refused.retryAfter).toBeGreaterThanOrEqual(1)
      const early = takeToken(tap.state, some, Math.floor(now) + (refused.retryAfter - 1) * 1000).allowance
      if (refused.retryAfter > 1) expect(early.kind).toBe("exhausted")
      expect(tap.take(now + refused.retryAfter * 1000).kind).toBe("allowed")
    }),
  )
})

test("nobody is told to wait longer than a day", () => {
  const tap = createTap({ capacity: 1, refillPerSecond: minRefill }, 0)
  tap.take(0)
  expect(tap.take(0)).toEqual({ kind: "exhausted", limit: 1, retryAfter: 86_400 })
})

test("being refused again and again makes no one wait longer", () => {
  fc.assert(
    fc.property(anyBucket, fc.array(fc.double({ min: 0, max: 1, noNaN: true })), (some, moments) => {
      const tap = createTap({ ...some, capacity: 1 }, 0)
      tap.take(0)
      const refused = tap.take(0)
      expect(refused.kind).toBe("exhausted")
      if (refused.kind !== "exhausted") return
      const until = refused.retryAfter * 1000
      const free = Math.ceil(1000 / some.refillPerSecond) - 1
      for (const moment of moments.toSorted()) tap.take(moment * Math.min(free, until))
      expect(tap.take(until).kind).toBe("allowed")
    }),
  )
})

test("over any time no more is allowed than capacity and refill make", () => {
  fc.assert(
    fc.property(anyBucket, fc.array(fc.integer({ min: 0, max: 5000 }), { maxLength: 200 }), (some, steps) => {
      const small = { ...some, capacity: Math.min(some.capacity, 10) }
      const tap = createTap(small, 0)
      let now = 0
      let allowed = 0
      for (const step of steps) {
        now += step
        if (tap.take(now).kind === "allowed") allowed++
      }
      expect(allowed).toBeLessThanOrEqual(small.capacity + (now * small.refillPerSecond) / 1000 + 1e-6)
    }),
  )
})
