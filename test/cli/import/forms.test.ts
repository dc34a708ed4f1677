import { expect, test } from "vitest"
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

/** A feature of Unleash's that is on for the users of a constraint. */
const unleashFile = (contextName: string, operator: string, value: string) => ({
  features: [
    {
      ...{ name: "a", enabled: true },
      strategies: [{ name: "default", constraints: [{ contextName, operator, value }] }],
    },
  ],
})

test.each([["a date without a time, before", clause("signup", "before", "2024-01-01T00:00:00Z")]])(
  "the proof tries %s",
  async (_, one) => {
    const [loss = "", another] = await lossesOf(launchDarkly, launchDarklyFile(flag([[one]])))
    expect([loss, another]).toEqual([expect.stringMatching(/^import-context-mistyped: .*signup/), undefined])
  },
)

test.each([["SEMVER_GT", "1.2.3"]])(
  "the proof tries the forms of a value that Unleash's %s reads differently",
  async (operator, value) => {
    const losses = await lossesOf(unleash, unleashFile("x", operator, value))
    expect(losses).toEqual([expect.stringMatching(/^import-context-mistyped: .*unexpected x/)])
  },
)

test.each(["30"])(
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
  [{ variations, bucketingKey: "team", defaultRule: { percentage } }, false], // a loss
])("GO Feature Flag's %j needs a targetingKey: %j", async (a, needs) => {
  const remark =
    "for a flag with a percentage, even of 0 or 100, GO Feature Flag needs a targetingKey: without it, only Flagstone evaluates the flag"
  const found = await remarksOf(goff, { a })
  expect(found.filter((one) => one.includes("targetingKey"))).toEqual(needs ? [remark] : [])
})

test.each([["ann, 123", [": 123"]]])(
  "Unleash's userWithId for %s compares no number",
  async (userIds, expected) => {
    const strategies = [{ name: "userWithId", parameters: { userIds } }]
    const found = await remarksOf(unleash, { features: [{ name: "a", enabled: true, strategies }] })
    expect(found).toEqual(
      expected.map((ids) => `ids that are numbers: there, a userId matches only if it is sent as text${ids}`),
    )
  },
)

test.each(["appName", "environment", "plan"])("Unleash's SDKs add %s, or not", async (contextName) => {
  const constraints = [{ contextName, operator: "IN", values: ["a"] }]
  const ofSegment = [{ name: "default", segments: [7] }]
  const share = { name: "flexibleRollout", parameters: { rollout: "50", stickiness: contextName } }
  const found = await remarksOf(unleash, {
    features: [
      { name: "a", enabled: true, strategies: [{ name: "default", constraints }] },
      { name: "b", enabled: true, strategies: ofSegment },
      { name: "c", enabled: true, strategies: [share] },
    ],
    segments: [{ id: 7, name: "s", constraints }],
  })
  const remark = `Unleash's SDKs add this to every context: here, your application sends it: ${contextName}`
  expect(found).toEqual(contextName === "plan" ? [] : [remark, remark, remark])
})
