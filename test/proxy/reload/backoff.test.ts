import fc from "fast-check"
import { expect, test } from "vitest"
import { backoff } from "../../../proxy/reload/backoff.ts"

test("grows, has an end, and is never the same for all", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2000 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (count, chance) => {
        const wait = backoff(count, chance)
        expect(wait).toBeGreaterThanOrEqual(500)
        expect(wait).toBeLessThan(300_000)
        expect(backoff(count + 1, chance)).toBeGreaterThanOrEqual(wait)
        if (chance > 0.01) expect(wait).toBeGreaterThan(backoff(count, 0))
      },
    ),
  )
})
