import { expect, test } from "vitest"
import { plainPhrase } from "../../../cli/diagnostics/phrase.ts"
import { flipt } from "../../../cli/import/flipt.ts"
import { importTexts, lossesIn, valuesOf } from "./import-text.ts"

const inState = (constraint: object) => ({
  ...{ key: "some", matchType: "ALL_SEGMENT_MATCH_TYPE", constraints: [constraint] },
})

test("the state that SDKs get has variants in rules and as the default, with attachments", async () => {
  const segment = inState({
    type: "STRING_CONSTRAINT_COMPARISON_TYPE",
    property: "plan",
    operator: "eq",
    value: "pro",
  })
  const flag = {
    ...{ key: "a", type: "VARIANT_FLAG_TYPE", enabled: true },
    rules: [
      {
        ...{ segments: [segment], segmentOperator: "OR_SEGMENT_OPERATOR" },
        distributions: [{ variantKey: "red", variantAttachment: '{"hex":"#f00"}', rollout: 100 }],
      },
    ],
    defaultVariant: { key: "blue", attachment: "" },
  }
  const text = JSON.stringify({ namespace: { key: "default" }, flags: [flag] })
  const found = await importTexts(flipt, [{ path: "a.json", text, environment: undefined }])
  expect(found.results.map(({ verdict }) => verdict)).toEqual(["exact"])
  const evaluator = await found.evaluatorOf("production")
  for (const [plan, value] of [
    ["pro", { variant: "red", attachment: { hex: "#f00" } }],
    ["free", { variant: "blue", attachment: null }],
  ] as const)
    expect(evaluator.evaluate("a", { entityId: "u", plan })).toMatchObject({ value })
})

test.each([
  ["hello", { variant: "red", attachment: "hello" }],
  [`'{"hex":1}'`, { variant: "red", attachment: '{"hex":1}' }],
  ["{ hex: 1 }", { variant: "red", attachment: { hex: 1 } }],
  ['""', "red"],
])("the attachment %s in features.yaml", async (attachment, value) => {
  const text = `flags:
  - key: a
    type: VARIANT_FLAG_TYPE
    enabled: true
    variants: [{ key: red, default: true, attachment: ${attachment} }]`
  const found = await importTexts(flipt, [{ path: "a.yaml", text, environment: "production" }])
  expect(found.results.map(({ verdict }) => verdict)).toEqual(["exact"])
  const evaluator = await found.evaluatorOf("production")
  expect(evaluator.evaluate("a", { entityId: "u" })).toMatchObject({ value })
})

test("one attachment in any environment gives all variants of a flag their form, and a remark", async () => {
  const fileOf = (environment: string, attachment: object) => {
    const variants = [
      { key: "red", default: true },
      { key: "blue", ...attachment },
    ]
    const flags = [{ key: "a", type: "VARIANT_FLAG_TYPE", enabled: true, variants }]
    return { path: `${environment}.json`, text: JSON.stringify({ flags }), environment }
  }
  const found = await importTexts(flipt, [fileOf("dev", { attachment: { w: 2 } }), fileOf("prod", {})])
  for (const environment of ["dev", "prod"])
    expect((await found.evaluatorOf(environment)).evaluate("a", { entityId: "u" })).toMatchObject({
      value: { variant: "red", attachment: null },
    })
  expect(found.results.map(({ verdict }) => verdict)).toEqual(["exact", "exact"])
  expect(found.remarks.filter(({ text }) => text.includes("attachment")).map(({ flag }) => flag)).toEqual([
    "a",
  ])
})

/** Flipt's server reads numbers as Go's strconv.ParseFloat does. */
test.each([
  ["isnotoneof", "[10,11]", "12x", false],
  ["isnotoneof", "[10,11]", "1e5", true],
  ["isnotoneof", "[10,11]", "1.1e1", false],
  ["neq", "7", "1E+06", true],
  ["neq", "7", "0x10", false],
  ["gt", "7", "0x10", false],
  ["gt", "7", " 8", false],
])("%s %s of %j is %s on both sides", async (operator, value, seats, expected) => {
  const found = await importing("NUMBER", operator, value)
  expect(found.results.map(({ verdict }) => verdict)).toEqual(["differs"]) // for +8
  const context: Record<string, unknown> = { entityId: "u", seats }
  const theirs = found.read.flags[0]?.configurations[0]?.meaning((name) => context[name], flipt.hash)
  expect(theirs).toEqual({ kind: "value", value: expected })
  const evaluator = await found.evaluatorOf("production")
  expect(evaluator.evaluate("a", context)).toMatchObject({ value: expected })
})

test.each([
  ["NUMBER", "7", ["6", "7", "8"]],
  ["DATETIME", "2024-01-02T00:00:00Z", ["2024-01-01", "2024-01-02", "2024-01-03"]],
])("%s is compared with %s by every operator", async (type, value, given) => {
  const expected = {
    ...{ eq: [false, true, false], neq: [true, false, true], lt: [true, false, false] },
    ...{ lte: [true, true, false], gt: [false, false, true], gte: [false, true, true] },
  }
  for (const [operator, answers] of Object.entries(expected)) {
    const evaluator = await (await importing(type, operator, value)).evaluatorOf("production")
    const values = given.map((seats) => evaluator.evaluate("a", { entityId: "u", seats }))
    expect([operator, ...values.map((one) => "value" in one && one.value)]).toEqual([operator, ...answers])
  }
})

test.each([
  ["0x10", "number", "NUMBER"],
  ["2024", "moment", "DATETIME"],
])("the operand %s, which Go does not read as a %s, is reported", async (value, _, type) => {
  const { results } = await importing(type, "neq", value)
  expect(results.flatMap(({ losses }) => losses.map(({ code }) => code))).toEqual(["import-operand"])
})

function importing(type: string, operator: string, value: string) {
  const segment = inState({
    type: `${type}_CONSTRAINT_COMPARISON_TYPE`,
    property: "seats",
    operator,
    value,
  })
  const rollout = { segment: { segments: [segment], value: true } }
  const flags = [{ key: "a", type: "BOOLEAN_FLAG_TYPE", enabled: false, rollouts: [rollout] }]
  const text = JSON.stringify({ namespace: { key: "default" }, flags })
  return importTexts(flipt, [{ path: "a.json", text, environment: undefined }])
}

/** What is asked of the attribute `x`, its values that match, and those that do not; `undefined`: it is missing. */
test.each([
  ["STRING", "eq", "a", ["a"], [undefined, "", "b"]],
  ["STRING", "neq", "a", ["b"], [undefined, "", "a"]],
  ["STRING", "prefix", "a", ["a", "ab"], [undefined, "ba"]],
  ["STRING", "suffix", "a", ["a", "ba"], [undefined, "ab"]],
  ["STRING", "contains", "a", ["bab"], [undefined, "b"]],
  ["STRING", "notcontains", "a", ["b"], [undefined, "", "bab"]],
  ["STRING", "isoneof", '["a","b"]', ["a", "b"], [undefined, "c"]],
  ["STRING", "isnotoneof", '["a","b"]', ["c"], [undefined, "", "b"]],
  ["STRING", "empty", "", [undefined, "", " "], ["a"]],
  ["STRING", "notempty", "", ["a"], [undefined, "", " "]],
  ["STRING", "present", "", ["a"], [undefined, " "]],
  ["STRING", "notpresent", "", [undefined, " "], ["a"]],
  ["NUMBER", "isoneof", "[7,8]", ["7", "8"], [undefined, "9"]],
  ["NUMBER", "isnotoneof", "[7,8]", ["9"], [undefined, "7", "x"]],
  ["NUMBER", "eq", "7.5", ["7.5", "7.50"], ["7", ""]],
  ["BOOLEAN", "true", "", ["true", "1", "t", "T", "TRUE", "True"], [undefined, "false", "yes"]],
  ["BOOLEAN", "false", "", ["false", "0", "f", "F", "FALSE", "False"], [undefined, "true", "no"]],
  ["BOOLEAN", "present", "", ["yes"], [undefined]],
  ["DATETIME", "lt", "2024-01-02", ["2024-01-01T23:59:59Z"], ["2024-01-02T00:00:00Z", "x"]],
  ["DATETIME", "neq", "2024-01-02", ["2024-01-03"], ["2024-01-02", "x"]],
] as const)("%s %s %j is decided alike on both sides", async (type, operator, value, matching, others) => {
  const found = await importing(type, operator, value)
  expect(lossesIn(found).filter((loss) => !loss.startsWith("import-context-"))).toEqual([])
  const contexts = [...matching, ...others].map((seats) => ({ entityId: "u", seats }))
  expect(await valuesOf(flipt, found, contexts)).toEqual([
    ...matching.map(() => true),
    ...others.map(() => false),
  ])
})

test.each([
  ["STRING", "like", "a"],
  ["STRING", "isoneof", "a"],
  ["NUMBER", "isoneof", '[7,"x"]'],
  ["NUMBER", "prefix", "7"],
  ["BOOLEAN", "maybe", ""],
])("%s %s %j is reported", async (type, operator, value) => {
  const said = `import-operand: in the segment some: seats ${operator} ${value}`
  expect(lossesIn(await importing(type, operator, value))).toContain(said)
})

const isPlan = (plan: string) => ({
  type: "STRING_COMPARISON_TYPE",
  property: "plan",
  operator: "eq",
  value: plan,
})
const isUser = (id: string) => ({ type: "ENTITY_ID_COMPARISON_TYPE", operator: "eq", value: id })
const segments = [
  { key: "pro", constraints: [isPlan("pro")], match_type: "ALL_MATCH_TYPE", description: "Who pays" },
  { key: "ann", constraints: [isUser("ann")] },
  { key: "both", constraints: [isPlan("pro"), isUser("ann")], match_type: "ALL_MATCH_TYPE" },
  { key: "either", constraints: [isPlan("pro"), isUser("ann")], match_type: "ANY_MATCH_TYPE" },
  { key: "all" },
  { key: "property", constraints: [{ ...isPlan("ann"), property: "entityId" }] },
]
const [ann, bob] = ["ann", "bob"].map((entityId) => ({ entityId }))
const proBob = { entityId: "bob", plan: "pro" }
const proAnn = { entityId: "ann", plan: "pro" }

async function ofFile(flag: object, more: object = {}) {
  const text = JSON.stringify({ flags: [{ key: "a", enabled: true, ...flag }], segments, ...more })
  return importTexts(flipt, [{ path: "a.json", text, environment: "production" }])
}
const boolean = { type: "BOOLEAN_FLAG_TYPE", enabled: false }
const on = (segment: object) => ({ ...boolean, rollouts: [{ segment: { ...segment, value: true } }] })
const below = (percentage: unknown, value = true) => ({
  ...boolean,
  rollouts: [{ threshold: { percentage, value } }],
})

test.each([
  [on({ key: "pro" }), [false, false, true, true]],
  [on({ key: "both" }), [false, false, false, true]],
  [on({ key: "either" }), [true, false, true, true]],
  [on({ key: "all" }), [true, true, true, true]],
  [on({ keys: ["pro", "ann"], operator: "AND_SEGMENT_OPERATOR" }), [false, false, false, true]],
  [on({ keys: ["pro", "ann"], operator: "OR_SEGMENT_OPERATOR" }), [true, false, true, true]],
  [on({ keys: ["pro", "ann"] }), [true, false, true, true]],
  [below(100), [true, true, true, true]],
  [below(0), [false, false, false, false]],
  [{ ...below(100, false), enabled: true }, [false, false, false, false]],
  [{ ...boolean, enabled: true }, [true, true, true, true]],
])("the boolean flag %j has these values for each user: %j", async (flag, values) => {
  const found = await ofFile(flag)
  expect(lossesIn(found)).toEqual([])
  expect(await valuesOf(flipt, found, [ann ?? {}, bob ?? {}, proBob, proAnn])).toEqual(values)
})

const share = (variant: string, rollout: number) => ({ variant, rollout })
const variants = [{ key: "x" }, { key: "y", default: true }]
test.each([
  [[{ segment: "pro", distributions: [share("x", 100)] }], ["y", "y", "x", "x"]],
  [[{ segment: "pro", distributions: [share("x", 100), share("y", 0)] }], ["y", "y", "x", "x"]],
  [
    [
      {
        segment: { keys: ["pro", "ann"], operator: "AND_SEGMENT_OPERATOR" },
        distributions: [share("x", 100)],
      },
    ],
    ["y", "y", "y", "x"],
  ],
  [
    [
      { segment: "ann", distributions: [] },
      { segment: "all", distributions: [share("x", 100)] },
    ],
    ["y", "x", "x", "y"],
  ],
  [[{ segments: ["pro"], distributions: [share("x", 100)] }], ["y", "y", "x", "x"]],
])("the rules %j give each user a variant: %j", async (rules, values) => {
  const found = await ofFile({ variants, rules })
  expect(lossesIn(found)).toEqual([])
  expect(await valuesOf(flipt, found, [ann ?? {}, bob ?? {}, proBob, proAnn])).toEqual(values)
})

test.each([
  [below(50), "import-share-rebucketed: a share by entityId"],
  [
    { variants, rules: [{ segment: "pro", distributions: [share("x", 60), share("y", 40)] }] },
    "import-share-rebucketed: shares by entityId",
  ],
  [
    { variants, rules: [{ segment: "pro", distributions: [share("z", 100)] }] },
    "import-malformed: the flag has no variant z",
  ],
  [
    { variants: [{ key: "x" }], rules: [{ segment: "pro", distributions: [share("x", 100)] }] },
    "import-caller-default: it has no default variant",
  ],
  [on({ key: "gone" }), "import-segment-missing: the segment gone is not in the files"],
  [
    on({ key: "property" }),
    "import-context-missing: in the segment property: the context's property entityId, which Flipt does not match if it is not sent beside the entity's id; here, that id has this name",
  ],
])("of %j it is said: %s", async (flag, said) => {
  const losses = lossesIn(await ofFile(flag))
  expect(losses[0]).toBe(said)
  expect(losses.filter((loss) => /disproved|share/.test(loss))).toEqual(said.includes("share") ? [said] : [])
})

test("a flag without a default variant needs none if a rule is for everyone", async () => {
  const rules = [{ segment: "all", distributions: [share("x", 100)] }]
  expect(lossesIn(await ofFile({ variants: [{ key: "x" }], rules }))).toEqual([])
  expect(lossesIn(await ofFile({ variants: [{ key: "x" }], rules, enabled: false }))).toEqual([
    "import-caller-default: it has no default variant",
  ])
})

test("flags and segments of a namespace carry its name, and those of the default one do not", async () => {
  const found = await ofFile(on({ key: "pro" }), { namespace: "shop" })
  expect(found.sources.map(({ path }) => path)).toEqual([
    "/flags/segments/shop-pro.segment.yaml",
    "/flags/shop/a.yaml",
  ])
  expect(found.sources[0]?.text).toMatch(/^description: "Who pays"\n/)
  const plain = await ofFile(
    { ...on({ key: "pro" }), name: "Flag A", description: "What it does" },
    { namespace: "default" },
  )
  expect(plain.sources.map(({ path }) => path)).toEqual(["/flags/segments/pro.segment.yaml", "/flags/a.yaml"])
  expect(plain.sources[1]?.text).toMatch(/^name: "Flag A"\ndescription: "What it does"\n/)
})

test.each([
  [12.5, ["12.5 % is 13 %"]],
  [12, []],
])("of the 100 buckets of Flipt, %d %% has whole ones: %j", async (percentage, said) => {
  const { remarks } = await ofFile(below(percentage))
  const rounded = remarks.filter(({ text }) => text.includes("because Flipt has 100 buckets"))
  expect(rounded.map(({ detail }) => plainPhrase(detail ?? []))).toEqual(said)
})

test("shares are scaled to a tenth of a percent", async () => {
  const rules = [{ segment: "pro", distributions: [share("x", 33.333), share("y", 66.667)] }]
  expect((await ofFile({ variants, rules })).sources[1]?.text.match(/share: [\d.]+/g)).toEqual([
    "share: 33.3",
    "share: 66.7",
  ])
})

test.each([
  [[share("x", 10), share("y", 20), share("x", 70)], "share: 10, share: 20, share: 70", 0],
  [[share("x", 25), share("y", 25)], "share: 50, share: 50", 1],
  [[share("x", 0), share("y", 30), share("x", 70)], "share: 30, share: 70", 0],
])("the shares %j are as large on both sides", async (distributions, shares, sums) => {
  const found = await ofFile({ variants, rules: [{ segment: "pro", distributions }] })
  expect(lossesIn(found)).toEqual(["import-share-rebucketed: shares by entityId"])
  expect(found.sources[1]?.text.match(/share: [\d.]+/g)?.join(", ")).toBe(shares)
  expect(found.tally).toMatchObject({ withShares: 1, sharesCompared: 1 })
  expect(
    found.remarks.filter(({ text }) =>
      text.includes("do not add up to 100 are scaled to 100, as in Flipt 2"),
    ),
  ).toHaveLength(sums)
})

test.each([
  [
    {
      segments: [{ ...segments[0], matchType: "ALL_SEGMENT_MATCH_TYPE" }, segments[1]],
      segmentOperator: "AND_SEGMENT_OPERATOR",
    },
    ["y", "y", "y", "x"],
  ],
  [
    { segments: [{ ...segments[3], match_type: undefined, matchType: "ANY_SEGMENT_MATCH_TYPE" }] },
    ["x", "y", "x", "x"],
  ],
  [{ segment_keys: ["pro", "ann"] }, ["x", "y", "x", "x"]],
])("in the state, a rule has its segments with it: %j", async (rule, values) => {
  const rules = [{ ...rule, distributions: [{ variantKey: "x", rollout: 100 }] }]
  const found = await ofFile({ defaultVariant: { key: "y" }, rules })
  expect(await valuesOf(flipt, found, [ann ?? {}, bob ?? {}, proBob, proAnn])).toEqual(values)
})
