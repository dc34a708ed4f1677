import { expect, test } from "vitest"
import { unleash } from "../../../cli/import/unleash.ts"
import { importTexts, lossesIn, valuesOf } from "./import-text.ts"

function importing(strategy: object, more: object = {}) {
  const feature = { name: "a", enabled: true, strategies: [{ name: "default", ...strategy }] }
  const text = JSON.stringify({ features: [feature], ...more })
  const asks = new Map([["schema", { attribute: "tenant", parameter: "names" }]])
  return importTexts(unleash, [{ path: "a.json", text, environment: undefined }], { strategies: asks })
}

const constraint = (operator: string, value: string | readonly string[], more: object = {}) => ({
  constraints: [
    { contextName: "x", operator, ...(typeof value === "string" ? { value } : { values: value }), ...more },
  ],
})
const inverted = { inverted: true }
const folded = { caseInsensitive: true }
const [day, nextDay] = ["2024-01-02T00:00:00.000Z", "2024-01-03T00:00:00.000Z"]

/** A strategy, the values of its attribute that match it, and those that do not; `undefined`: it is missing. */
test.each([
  [constraint("IN", ["a", " b ", ""]), "x", ["a", "b"], [undefined, "c", "", "A"]],
  [constraint("IN", ["a"], inverted), "x", [undefined, "b"], ["a"]],
  [constraint("NOT_IN", ["a", "b"]), "x", [undefined, "c"], ["a", "b"]],
  [constraint("NOT_IN", ["a"], inverted), "x", ["a"], [undefined, "b"]],
  [constraint("STR_STARTS_WITH", ["a", "b"]), "x", ["a", "bc"], [undefined, "ca", "A"]],
  [constraint("STR_STARTS_WITH", ["a"], folded), "x", ["Ab"], [undefined, "ca"]],
  [constraint("STR_ENDS_WITH", ["a", "b"]), "x", ["a", "cb"], [undefined, "ac"]],
  [constraint("STR_CONTAINS", ["a", "b"]), "x", ["cac", "b"], [undefined, "c"]],
  [constraint("STR_CONTAINS", ["a"], inverted), "x", [undefined, "c"], ["cac"]],
  [constraint("REGEX", "^a+$"), "x", ["aa"], [undefined, "ab", "A"]],
  [constraint("REGEX", "^a+$", folded), "x", ["aA"], [undefined, "ab"]],
  [constraint("NUM_EQ", "5"), "x", ["5", "5.0"], [undefined, "6", "x"]],
  [constraint("NUM_LT", "5"), "x", ["4"], [undefined, "5", "x"]],
  [constraint("NUM_LTE", "5"), "x", ["4", "5"], [undefined, "6"]],
  [constraint("NUM_GT", "5"), "x", ["6", "10"], [undefined, "5"]],
  [constraint("NUM_GTE", "5"), "x", ["5", "6"], [undefined, "4"]],
  [constraint("NUM_GTE", "5", inverted), "x", [undefined, "4"], ["5"]],
  [constraint("NUM_EQ", "five"), "x", [], [undefined, "5", "five"]],
  [constraint("SEMVER_EQ", "1.2.3"), "x", ["1.2.3"], [undefined, "1.2.4"]],
  [constraint("SEMVER_LT", "1.2.3"), "x", ["1.2.2", "1.2.3-rc.1"], [undefined, "1.2.3", "1.10.0"]],
  [constraint("SEMVER_GT", "1.2.3"), "x", ["1.10.0"], [undefined, "1.2.3"]],
  [constraint("SEMVER_GT", "1.2"), "x", [], ["1.3.0"]],
  [
    { name: "userWithId", parameters: { userIds: "ann, bob" } },
    "userId",
    ["ann", "bob"],
    [undefined, "", "eve"],
  ],
  [
    { name: "remoteAddress", parameters: { IPs: "10.0.0.1,10.0.0.2" } },
    "remoteAddress",
    ["10.0.0.2"],
    [undefined, "10.0.0.3"],
  ],
  [{ name: "schema", parameters: { names: "x,y" } }, "tenant", ["y"], [undefined, "z"]],
  [
    { name: "flexibleRollout", parameters: { rollout: "0", stickiness: "default" } },
    "userId",
    [],
    [undefined, "ann"],
  ],
  [
    { name: "flexibleRollout", parameters: { rollout: "100", stickiness: "random" } },
    "userId",
    [undefined, "ann"],
    [],
  ],
  [
    { name: "flexibleRollout", parameters: { rollout: "100", stickiness: "" } },
    "userId",
    [undefined, "ann"],
    [],
  ],
  [
    { name: "flexibleRollout", parameters: { rollout: 100, stickiness: "tenant" } },
    "tenant",
    ["x"],
    [undefined, ""],
  ],
  [{ name: "gradualRolloutRandom", parameters: { percentage: "100" } }, "userId", [undefined, "ann"], []],
  [{ name: "gradualRolloutRandom", parameters: { percentage: "0" } }, "userId", [], [undefined, "ann"]],
  [{ name: "gradualRolloutUserId", parameters: { percentage: "100" } }, "userId", ["ann"], [undefined, ""]],
  [{ name: "gradualRolloutUserId", parameters: { percentage: "0" } }, "userId", [], [undefined, "ann"]],
  [
    { name: "gradualRolloutSessionId", parameters: { percentage: "100" } },
    "sessionId",
    ["s"],
    [undefined, ""],
  ],
  [{ name: "gradualRolloutSessionId", parameters: { percentage: "0" } }, "sessionId", [], [undefined, "s"]],
  [{ name: "applicationHostname", parameters: { hostNames: "" } }, "x", [], [undefined]],
] as const)("%j is decided alike by both sides for %s", async (strategy, name, matching, others) => {
  const found = await importing(strategy)
  expect(lossesIn(found).filter((loss) => !loss.startsWith("import-context-"))).toEqual([])
  const contexts = [...matching, ...others].map((value) => ({ [name]: value }))
  expect(await valuesOf(unleash, found, contexts)).toEqual([
    ...matching.map(() => true),
    ...others.map(() => false),
  ])
})

test.each([
  [{ name: "remoteAddress", parameters: { IPs: "10.0.0.0/8" } }, "import-operator: address ranges"],
  [{ name: "applicationHostname", parameters: { hostNames: "h1" } }, "import-operator: the SDK's hostname"],
  [
    { name: "flexibleRollout", parameters: { rollout: "50", stickiness: "random" } },
    "import-random-share: a random 50 %",
  ],
  [{ name: "gradualRolloutRandom", parameters: { percentage: "50" } }, "import-random-share: a random 50 %"],
  [{ name: "custom" }, "import-custom-strategy: the strategy custom"],
  [constraint("NEAR", "a"), "import-operator: the operator NEAR"],
  [constraint("NUM_NEAR", "5"), "import-operator: the operator NUM_NEAR"],
  [constraint("SEMVER_NEAR", "1.2.3"), "import-operator: the operator SEMVER_NEAR"],
  [constraint("DATE_NEAR", day), "import-operator: the operator DATE_NEAR"],
  [constraint("STR_CONTAINS", ["σ"], folded), "import-operator: caseInsensitive with Σ or İ in an operand"],
  [
    constraint("DATE_AFTER", day),
    "import-clock: a date, which Unleash compares with currentTime or its clock",
  ],
  [{ segments: [7] }, "import-segment-missing: the segment 7 is not in the files"],
  [{ variants: [{ name: "x" }] }, "import-variants: variants in addition to on and off"],
])("of %j it is said: %s", async (strategy, said) => {
  expect(lossesIn(await importing(strategy))).toEqual([said])
})

test.each([
  ["gradualRolloutUserId", { percentage: "30" }, "userId", "by: userId, to: 30, seed: unleash "],
  ["gradualRolloutSessionId", { percentage: "30" }, "sessionId", "by: sessionId, to: 30, seed: unleash "],
  [
    "flexibleRollout",
    { rollout: "30", stickiness: "tenant", groupId: "g" },
    "tenant",
    "by: tenant, to: 30, seed: g ",
  ],
  ["flexibleRollout", { rollout: "99", stickiness: "tenant", groupId: "a" }, "tenant", "by: tenant, to: 99 "],
  [
    "flexibleRollout",
    { rollout: "1", stickiness: "default", groupId: "" },
    "userId or else sessionId",
    "by: userId, to: 1, seed: unleash ",
  ],
])("the share of %s with %j is by %s", async (name, parameters, by, share) => {
  const found = await importing({ name, parameters })
  expect(lossesIn(found)).toEqual([`import-share-rebucketed: a share by ${by}`])
  expect(found.sources[0]?.text).toContain(`share: { ${share}}`)
})

test.each([
  ["DATE_AFTER", [nextDay], [day]],
  ["DATE_BEFORE", ["2024-01-01T00:00:00Z"], [day, nextDay]],
])("%s compares the attribute currentTime, if that is accepted", async (operator, matching, others) => {
  const feature = {
    name: "a",
    enabled: true,
    strategies: [{ name: "default", ...constraint(operator, day) }],
  }
  const file = { path: "a.json", text: JSON.stringify({ features: [feature] }), environment: undefined }
  const found = await importTexts(unleash, [file], { accept: ["import-clock"] })
  const contexts = [...matching, ...others].map((currentTime) => ({ currentTime }))
  expect(await valuesOf(unleash, found, contexts)).toEqual([
    ...matching.map(() => true),
    ...others.map(() => false),
  ])
})

test("rollouts without a group, and with the flag's name as theirs, have different users", async () => {
  const rollout = (groupId: string) => ({
    ...{ name: "flexibleRollout", parameters: { rollout: "50", stickiness: "userId", groupId } },
  })
  const features = [{ name: "a", enabled: true, strategies: [rollout(""), rollout("a")] }]
  const text = JSON.stringify({ features })
  const found = await importTexts(unleash, [{ path: "a.json", text, environment: undefined }])
  expect(found.remarks).toEqual([])
  expect(found.sources[0]?.text.match(/share: .*/g)).toEqual([
    "share: { by: userId, to: 50, seed: unleash }",
    "share: { by: userId, to: 50 }",
  ])
})

test.each([
  [{ features: [{ name: "a", enabled: true }] }, 1],
  [{ features: [{ name: "a", enabled: false }] }, 0],
  [{ features: [{ name: "a", enabled: true, strategies: [] }] }, 0],
  [{ features: [{ name: "a", environments: [{ name: "dev", enabled: true }] }] }, 0],
  [{ features: [{ name: "a", enabled: true }], featureStrategies: [] }, 0],
])("a feature of a feed that lacks its list of strategies is a remark: %j", async (feed, count) => {
  const file = { path: "a.json", text: JSON.stringify(feed), environment: undefined }
  const { remarks } = await importTexts(unleash, [file])
  expect(remarks.filter(({ text }) => text.includes("SDK for Node"))).toHaveLength(count)
})

test("an empty operand of a text operator matches whatever is there", async () => {
  const found = await importing({
    constraints: [{ contextName: "x", operator: "STR_CONTAINS", values: ["a"], value: "" }],
  })
  expect(await valuesOf(unleash, found, [{ x: "a" }, { x: "b" }])).toEqual([true, false])
})

test("all constraints and segments of a strategy must hold, and one strategy is enough", async () => {
  const is = (contextName: string, ...values: readonly string[]) => ({ contextName, operator: "IN", values })
  const strategies = [
    { name: "default", constraints: [is("x", "a"), is("y", "b")], segments: [1, 2] },
    { name: "default", constraints: [is("x", "z")] },
  ]
  const segments = [
    { id: 1, name: "one", description: "First", constraints: [is("s", "1"), is("t", "1")] },
    { id: 2, constraints: [is("u", "1")] },
  ]
  const text = JSON.stringify({ features: [{ name: "a", enabled: true, strategies }], segments })
  const found = await importTexts(unleash, [{ path: "a.json", text, environment: undefined }])
  const all = { x: "a", y: "b", s: "1", t: "1", u: "1" }
  const without = Object.keys(all).map((name) => ({ ...all, [name]: "?" }))
  expect(await valuesOf(unleash, found, [all, { x: "z" }, ...without])).toEqual([
    true,
    true,
    ...without.map(() => false),
  ])
  expect(found.sources.map(({ path }) => path)).toEqual([
    "/flags/segments/one.segment.yaml",
    "/flags/segments/segment-2.segment.yaml",
    "/flags/a.yaml",
  ])
  expect(found.sources[0]?.text).toMatch(/^description: First\n/)
})

test("tags, the type and whether it is stale become tags", async () => {
  const more = {
    features: [
      { name: "a", description: "What it does", type: "release", stale: true, enabled: true, strategies: [] },
    ],
    featureTags: [
      { featureName: "a", tagValue: "web" },
      { featureName: "b", tagValue: "app" },
      { featureName: "a", value: "old" },
    ],
  }
  const text = JSON.stringify(more)
  const [file] = (await importTexts(unleash, [{ path: "a.json", text, environment: undefined }])).sources
  expect(file?.text).toMatch(/^description: "?What it does"?$/m)
  expect(file?.text).toMatch(/^tags: \[release, stale, web, old\]$/m)
})

test("dependencies may be listed apart, and those of a parent are not met", async () => {
  const on = (name: string) => ({ name, enabled: true, strategies: [{ name: "default" }] })
  const text = JSON.stringify({
    features: [on("a"), on("b"), on("c")],
    dependencies: [
      { feature: "a", dependencies: [{ feature: "b" }] },
      { feature: "c", dependencies: [{ feature: "a", enabled: false }] },
    ],
  })
  const found = await importTexts(unleash, [{ path: "a.json", text, environment: undefined }])
  expect(lossesIn(found)).toEqual([])
  expect([await valuesOf(unleash, found, [{}], "a"), await valuesOf(unleash, found, [{}], "c")]).toEqual([
    [true],
    [false],
  ])
  expect(found.remarks.map(({ flag, text }) => `${flag} ${text}`)).toContain(
    "c it is always off, because it depends on a flag that itself has dependencies",
  )
})
