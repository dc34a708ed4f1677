import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type Bucket, minRefill } from "../../../proxy/contract/bucket.ts"
import { createBucketState, takeToken } from "../../../proxy/rate-limit/token-bucket.ts"

/** A bucket that is drawn on repeatedly, at times in milliseconds. */
function createTap(bucket: Bucket, start: number) {
  let state = createBucketState(bucket, start)
  return {
    take(now: number) {
      const taken = takeToken(state, bucket, now)
      state = taken.state
      return taken.allowance
    },
    /** Reduces the bucket to at most so many tokens. */
    leave(tokens: number): void {
      state = { ...state, tokens: Math.min(state.tokens, tokens) }
    },
  }
}

const bucket = { capacity: 3, refillPerSecond: 2 }

describe("steps in time and their answers", () => {
  test.each<[string, readonly (readonly [now: number, remaining: number | `wait ${number}`])[]]>([
    [
      "a full bucket, emptied immediately",
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
    [
      "a clock that goes back while it is empty makes no one wait for the old time",
      [
        [10_000, 2],
        [10_000, 1],
        [10_000, 0],
        [2_000, "wait 1"],
        [2_500, 0],
      ],
    ],
  ])("%s", (_, steps) => {
    const tap = createTap(bucket, steps[0]?.[0] ?? 0)
    const answers: (readonly [number, number | string])[] = []
    for (const [now] of steps) {
      const allowance = tap.take(now)
      answers.push([now, allowance.kind === "allowed" ? allowance.remaining : `wait ${allowance.retryAfter}`])
    }
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
      tap.leave(0.999) // skip the many requests to an empty bucket
      const refused = tap.take(now)
      expect(refused.kind).toBe("exhausted")
      if (refused.kind !== "exhausted") return
      expect(Number.isSafeInteger(refused.retryAfter)).toBe(true)
      expect(refused.retryAfter).toBeGreaterThanOrEqual(1)
      const moment = Math.floor(now) + (refused.retryAfter - 1) * 1000
      if (refused.retryAfter > 1) expect(tap.take(moment).kind).toBe("exhausted")
      expect(tap.take(now + refused.retryAfter * 1000).kind).toBe("allowed")
    }),
  )
})

test("no one is told to wait longer than a day", () => {
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
      const free = Math.ceil(((1 - 1e-9) * 1000) / some.refillPerSecond) - 1 // the last moment without a token
      for (const moment of moments.toSorted()) tap.take(moment * Math.min(free, until))
      expect(tap.take(until).kind).toBe("allowed")
    }),
  )
})

test("over any time no more is allowed than capacity and refill", () => {
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
