import { expect, test } from "vitest"
import { isOneOf } from "../../../cli/import/form/compare.ts"
import { nameSegments, segmentsIn } from "../../../cli/import/name-segments.ts"
import { all, type Condition } from "../../../cli/language/condition.ts"

const [pro, team] = ["pro", "team"].map((plan) => isOneOf("plan", [plan])) as [Condition, Condition]
const use = (name: string): Condition => ({ kind: "segment", name, means: undefined })
const segment = (name: string, condition: Condition = pro, environment = "test") => ({
  ...{ name, condition, environment, description: undefined },
})

test.each([
  [[segment("pro"), segment("pro", pro, "live")], ["pro in test, live"]],
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
  [[segment(`${"x".repeat(57)}-many`)], [`${"x".repeat(57)} in test`]],
  [
    [
      segment(`${"x".repeat(40)}-of-the-second-wave`),
      segment(`${"x".repeat(40)}-of-the-second-wave`, team, "live"),
    ],
    [`${"x".repeat(40)}-of-the-second-test in test`, `${"x".repeat(40)}-of-the-second-wave in live`],
  ],
])("segments get names that are allowed and free: %#", (segments, names) => {
  const found = nameSegments({ segments, flags: [], remarks: [] })
  expect(found.segments.map(({ name, environments }) => `${name} in ${environments.join(", ")}`)).toEqual(
    names,
  )
})

test("rules and segments use the new names, each that of its environment", () => {
  const segments = [
    segment("pro"),
    segment("pro", team, "live"),
    segment("both", all(use("pro"), team), "live"),
  ]
  const configuration = (environment: string) => ({
    ...{ environment, guards: [{ when: all(use("pro"), use("gone"), pro) }] },
  })
  const flags = [{ key: "a", configurations: [configuration("test"), configuration("live")] }]
  const found = nameSegments({ segments, flags, remarks: [] } as never)
  expect(found.segments.map(({ condition }) => segmentsIn(condition))).toEqual([[], [], ["pro"]])
  const used = found.imported.flags[0]?.configurations.map(({ guards }) =>
    guards.flatMap(({ when }) => segmentsIn(when)),
  )
  expect(used).toEqual([
    ["pro-test", "gone"],
    ["pro", "gone"],
  ])
})
