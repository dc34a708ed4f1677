import fc from "fast-check"
import { expect, test } from "vitest"
import { excludes, implies } from "../../../cli/diff/condition.ts"
import { condition, context } from "./arbitraries.ts"
import { matches } from "./evaluate.ts"

test("what is certain of two conditions holds for every context", () => {
  fc.assert(
    fc.property(condition, condition, context, (a, b, given) => {
      const [inA, inB] = [matches(a, given), matches(b, given)]
      if (implies(a, b)) expect(inA && !inB).toBe(false)
      if (excludes(a, b)) expect(inA && inB).toBe(false)
      expect(excludes(a, b)).toBe(excludes(b, a))
    }),
    { numRuns: 20_000 },
  )
})
