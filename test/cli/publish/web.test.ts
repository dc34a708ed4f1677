import fc from "fast-check"
import { expect, test } from "vitest"
import { pauseAfter } from "../../../cli/publish/web.ts"

test("pauses grow, differ, and end at ten seconds", () => {
  fc.assert(
    fc.property(
      fc.nat(40),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (tries, random) => {
        const pause = pauseAfter(tries, random)
        expect(pause).toBeGreaterThanOrEqual(0)
        expect(pause).toBeLessThan(10_000)
        expect(pauseAfter(tries + 1, random)).toBeGreaterThanOrEqual(pause)
      },
    ),
  )
})
