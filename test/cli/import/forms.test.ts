import { expect, test } from "vitest"
import { flipt } from "../../../cli/import/flipt.ts"
import type { Tool } from "../../../cli/import/form/tool.ts"
import { goff } from "../../../cli/import/goff.ts"
import { launchDarkly } from "../../../cli/import/launchdarkly.ts"
import { unleash } from "../../../cli/import/unleash.ts"
import { importTexts } from "./import-text.ts"

const importing = (tool: Tool, content: unknown) =>
  importTexts(tool, [{ path: "a.json", text: JSON.stringify(content), environment: undefined }])

/** What the proof finds, without code marks. */
async function lossesOf(tool: Tool, content: unknown): Promise<readonly string[]> {
  const { results } = await importing(tool, content)
  return results.flatMap(({ losses }) =>
    losses.map(({ code, message }) => `${code}: ${message.replaceAll("`", "")}`),
  )
}

const clause = (attribute: string, op: string, value: unknown, more: object = {}) => ({
  ...{ attribute, op, values: [value], ...more },
})

/** A flag of LaunchDarkly's that is on for the users of rules. */
const flag = (rules: readonly (readonly object[])[], more: object = {}) => ({
  ...{ on: true, variations: [true, false], offVariation: 1, fallthrough: { variation: 1 } },
  rules: rules.map((clauses) => ({ variation: 0, clauses })),
  ...more,
})
const launchDarklyFile = (a: object, segments: object = {}) => ({ flags: { a }, segments })

/** A flag of Flipt's that is on for the users of a constraint. */
const fliptFile = (type: string, property: string, operator: string, value: string) => ({
  flags: [
    {
      ...{ key: "a", type: "BOOLEAN_FLAG_TYPE", enabled: false },
      rollouts: [{ segment: { key: "some", value: true } }],
    },
  ],
  segments: [{ key: "some", constraints: [{ type: `${type}_COMPARISON_TYPE`, property, operator, value }] }],
})

/** A feature of Unleash's that is on for the users of a constraint. */
const unleashFile = (contextName: string, operator: string, value: string) => ({
  features: [
    {
      ...{ name: "a", enabled: true },
      strategies: [{ name: "default", constraints: [{ contextName, operator, value }] }],
    },
  ],
})

test.each([
  ["a date without a time, before", clause("signup", "before", "2024-01-01T00:00:00Z")],
  ["a date without a time, after", clause("signup", "after", 1_704_067_200_000)],
])("the proof tries %s", async (_, one) => {
  const [loss = "", another] = await lossesOf(launchDarkly, launchDarklyFile(flag([[one]])))
  expect([loss, another]).toEqual([expect.stringMatching(/^import-context-mistyped: .*signup/), undefined])
})

test.each(["prefix", "suffix"])(
  "the proof tries a blank at an end, which Flipt's %s ignores",
  async (operator) => {
    const [loss = "", another] = await lossesOf(flipt, fliptFile("STRING", "email", operator, "@x.example"))
    expect([loss, another]).toEqual([expect.stringMatching(/^import-context-mistyped: .*email/), undefined])
  },
)

test("the proof tries small letters in a moment, which Flipt refuses", async () => {
  const file = fliptFile("DATETIME", "Time", "gte", "2026-07-28T23:00:00Z")
  const [loss = "", another] = await lossesOf(flipt, file)
  expect([loss, another]).toEqual([
    expect.stringMatching(/^import-context-mistyped: .*Time.*\d{4}-\d\d-\d\dt\d\d:\d\d:\d\d(?:\.\d+)?z/),
    undefined,
  ])
})

test("the proof tries each way to satisfy a segment", async () => {
  const segments = {
    some: {
      included: [],
      rules: [
        { clauses: [clause("country", "in", "DE")] },
        { clauses: [clause("beta", "in", true, { negate: true })] },
      ],
    },
  }
  const inSegment = { op: "segmentMatch", attribute: "", values: ["some"] }
  const file = launchDarklyFile(flag([[inSegment, clause("email", "endsWith", "@x.example")]]), segments)
  expect(await lossesOf(launchDarkly, file)).toContainEqual(
    expect.stringMatching(/^import-context-mistyped: .*beta/),
  )
})

test("the proof tries each way to satisfy an or", async () => {
  const query = '((country eq "DE") or (seats gt 10)) and (email ew "@x.example")'
  const file = {
    a: {
      variations: { on: true, off: false },
      targeting: [{ query, variation: "on" }],
      defaultRule: { variation: "off" },
    },
  }
  expect(await lossesOf(goff, file)).toContainEqual(
    expect.stringMatching(/^import-context-mistyped: .*seats/),
  )
})

test.each([
  ["SEMVER_GT", "1.2.3"],
  ["SEMVER_LT", "1.2.3"],
  ["SEMVER_EQ", "1.0.0"],
  ["NUM_GT", "10"],
  ["NUM_LT", "10"],
  ["NUM_EQ", "10"],
])("the proof tries the forms of a value that Unleash's %s reads differently", async (operator, value) => {
  const losses = await lossesOf(unleash, unleashFile("x", operator, value))
  expect(losses).toEqual([expect.stringMatching(/^import-context-mistyped: .*unexpected x/)])
})

test.each(["100", "30"])(
  "an empty id is in no share, and a rollout of %s %% is not lost for it",
  async (rollout) => {
    const strategies = ["userId", "default"].map((stickiness) => ({
      ...{ name: "flexibleRollout", parameters: { rollout, stickiness, groupId: stickiness } },
    }))
    const features = strategies.map((strategy, at) => ({
      name: `f${at}`,
      enabled: true,
      strategies: [strategy],
    }))
    const losses = await lossesOf(unleash, { features })
    expect(losses.filter((one) => !one.startsWith("import-share-rebucketed"))).toEqual([])
  },
)

/** What is also found, without code marks. */
async function remarksOf(tool: Tool, content: unknown): Promise<readonly string[]> {
  const { remarks } = await importing(tool, content)
  return remarks.map(({ message }) => message.replaceAll("`", ""))
}

const variations = { on: true, off: false }
const percentage = { on: 0, off: 100 }
test.each([
  [{ variations, defaultRule: { percentage } }, true],
  [
    {
      variations,
      targeting: [{ query: 'plan eq "pro"', percentage }],
      defaultRule: { variation: "off" },
    },
    true,
  ],
  [{ variations, defaultRule: { variation: "off" } }, false],
  [{ variations, bucketingKey: "team", defaultRule: { percentage } }, false], // a loss
])("GO Feature Flag's %j needs a targetingKey: %j", async (a, needs) => {
  const remark =
    "for a flag with a percentage, even of 0 or 100, GO Feature Flag needs a targetingKey: without it, only Flagstone evaluates the flag"
  const found = await remarksOf(goff, { a })
  expect(found.filter((one) => one.includes("targetingKey"))).toEqual(needs ? [remark] : [])
})

test.each([
  ["ann, 123", [": 123"]],
  ["ann, 12b", []],
  ["1,2,3,4,5,6,7", [": 1, 2, 3, 4, 5, 2 more"]],
])("Unleash's userWithId for %s compares no number", async (userIds, expected) => {
  const strategies = [{ name: "userWithId", parameters: { userIds } }]
  const found = await remarksOf(unleash, { features: [{ name: "a", enabled: true, strategies }] })
  expect(found).toEqual(
    expected.map((ids) => `ids that are numbers: there, a userId matches only if it is sent as text${ids}`),
  )
})
