import fc from "fast-check"
import { expect, test } from "vitest"
import { backoff } from "../../../proxy/reload/backoff.ts"

test("waits half a second, then twice as long each time, up to 7½ s, plus up to as much at random", () => {
  const waits = Array.from({ length: 11 }, (_, at) => backoff(at + 1, 0) / 1000)
  expect(waits).toEqual([0.5, 1, 2, 4, 7.5, 7.5, 7.5, 7.5, 7.5, 7.5, 7.5])
  expect(backoff(1, 0.999)).toBeCloseTo(999.5)
})

test("grows, has an end, and is never the same for all", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2000 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (count, chance) => {
        const wait = backoff(count, chance)
        expect(wait).toBeGreaterThanOrEqual(500)
        expect(wait).toBeLessThan(15_000)
        expect(backoff(count + 1, chance)).toBeGreaterThanOrEqual(wait)
        if (chance > 0.01) expect(wait).toBeGreaterThan(backoff(count, 0))
      },
    ),
  )
})
