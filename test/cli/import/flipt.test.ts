import { expect, test } from "vitest"
import { flipt } from "../../../cli/import/flipt.ts"
import { importTexts } from "./import-text.ts"

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
