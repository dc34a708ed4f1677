import { expect, test } from "vitest"
import { isOneOf } from "../../../cli/import/form/compare.ts"
import { nameSegments } from "../../../cli/import/name-segments.ts"
import type { Condition } from "../../../cli/language/condition.ts"

const [pro, team] = ["pro", "team"].map((plan) => isOneOf("plan", [plan])) as [Condition, Condition]
const segment = (name: string, condition: Condition = pro, environment = "test") => ({
  ...{ name, condition, environment, description: undefined },
})

test.each([
  [
    [segment("pro"), segment("pro", team, "live")],
    ["pro-test in test", "pro in live"],
  ],
  [
    [segment("pro"), segment("pro", team, "live"), segment("pro", pro, "dev")],
    ["pro in test, dev", "pro-live in live"],
  ],
  [
    [segment("Who pays"), segment("who-pays"), segment("who pays")],
    ["Who-pays in test", "who-pays-2 in test", "who-pays-3 in test"],
  ],
  [
    [segment("-_x"), segment("äö"), segment("ü")],
    ["x in test", "segment in test", "segment-2 in test"],
  ],
  [[segment("x".repeat(61))], [`${"x".repeat(60)} in test`]],
])("segments get names that are allowed and free: %#", (segments, names) => {
  const found = nameSegments({ segments, flags: [], remarks: [] })
  expect(found.segments.map(({ name, environments }) => `${name} in ${environments.join(", ")}`)).toEqual(
    names,
  )
})
