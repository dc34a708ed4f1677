import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type Bucket, minRefill } from "../../proxy/contract/bucket.ts"
import type { Allowance } from "../../proxy/rate-limit/token-bucket.ts"

/** A bucket that is drawn on repeatedly, at times in milliseconds. */
export interface Tap {
  take(now: number): Allowance | Promise<Allowance>
  /** Reduces the bucket to at most so many tokens at that time. */
  leave(tokens: number, now: number): void | Promise<void>
}

/** What every bucket does, wherever it is kept. `runs` is the number of examples for each property. */
export function describeBucketLaw(
  createTap: (bucket: Bucket, start: number) => Tap | Promise<Tap>,
  runs: number,
): void {
  const bucket = { capacity: 3, refillPerSecond: 2 }
  const limits = { numRuns: runs }

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
    ])("%s", async (_, steps) => {
      const tap = await createTap(bucket, steps[0]?.[0] ?? 0)
      const answers: (readonly [number, number | string])[] = []
      for (const [now] of steps) {
        const allowance = await tap.take(now)
        answers.push([
          now,
          allowance.kind === "allowed" ? allowance.remaining : `wait ${allowance.retryAfter}`,
        ])
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

  test("a client that waits exactly as long as it was told succeeds, and a second less does not", async () => {
    await fc.assert(
      fc.asyncProperty(anyBucket, anyStart, anySteps, async (some, start, steps) => {
        const tap = await createTap(some, start)
        let now = start
        for (const step of steps) {
          now = Math.max(0, now + step)
          await tap.take(now)
        }
        await tap.leave(0.999, now) // skip the many requests to an empty bucket
        const refused = await tap.take(now)
        expect(refused.kind).toBe("exhausted")
        if (refused.kind !== "exhausted") return
        expect(Number.isSafeInteger(refused.retryAfter)).toBe(true)
        expect(refused.retryAfter).toBeGreaterThanOrEqual(1)
        const moment = Math.floor(now) + (refused.retryAfter - 1) * 1000
        if (refused.retryAfter > 1) expect((await tap.take(moment)).kind).toBe("exhausted")
        expect((await tap.take(now + refused.retryAfter * 1000)).kind).toBe("allowed")
      }),
      limits,
    )
  })

  test("no one is told to wait longer than a day", async () => {
    const tap = await createTap({ capacity: 1, refillPerSecond: minRefill }, 0)
    await tap.take(0)
    expect(await tap.take(0)).toEqual({ kind: "exhausted", limit: 1, retryAfter: 86_400 })
  })

  test("being refused again and again makes no one wait longer", async () => {
    await fc.assert(
      fc.asyncProperty(
        anyBucket,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true })),
        async (some, moments) => {
          const tap = await createTap({ ...some, capacity: 1 }, 0)
          await tap.take(0)
          const refused = await tap.take(0)
          expect(refused.kind).toBe("exhausted")
          if (refused.kind !== "exhausted") return
          const until = refused.retryAfter * 1000
          const free = Math.ceil(((1 - 1e-9) * 1000) / some.refillPerSecond) - 1 // the last moment without a token
          for (const moment of moments.toSorted()) await tap.take(moment * Math.min(free, until))
          expect((await tap.take(until)).kind).toBe("allowed")
        },
      ),
      limits,
    )
  })

  test("over any time no more is allowed than capacity and refill", async () => {
    await fc.assert(
      fc.asyncProperty(
        anyBucket,
        fc.array(fc.integer({ min: 0, max: 5000 }), { maxLength: 200 }),
        async (some, steps) => {
          const small = { ...some, capacity: Math.min(some.capacity, 10) }
          const tap = await createTap(small, 0)
          let now = 0
          let allowed = 0
          for (const step of steps) {
            now += step
            if ((await tap.take(now)).kind === "allowed") allowed++
          }
          expect(allowed).toBeLessThanOrEqual(small.capacity + (now * small.refillPerSecond) / 1000 + 1e-6)
        },
      ),
      limits,
    )
  })
}
