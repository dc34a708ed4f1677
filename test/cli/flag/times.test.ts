import { expect, test } from "vitest"
import { rampsIn } from "../../../cli/flag/times.ts"
import { shop, sideOf } from "../diff/sides.ts"

test("the arms of a split have the ramp beside it once, in the first", () => {
  const stages = [
    { at: "2026-12-01T09:00:00Z", share: 5 },
    { at: "2026-12-02T09:00:00Z", share: 100 },
  ]
  const arms = ["a", "b"].map((returnValue) => ({ share: 50, returnValue }))
  const rules = [
    { attribute: "plan", operator: "equals", value: "pro", returnValue: "a" },
    { all: [{ ramp: { by: "id", stages } }], split: { by: "id", seed: "s", into: arms } },
  ]
  const flag = { type: "string", defaultValue: "c", environments: { production: { enabled: true, rules } } }
  const [read] = sideOf({ f: flag }, `${shop}clock: now\n`).flags
  expect(read && rampsIn(read, "production").map(({ rule }) => rule)).toEqual([2])
})
