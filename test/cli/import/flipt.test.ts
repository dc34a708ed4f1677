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

test("a string that only starts with a number is not one", async () => {
  const segment = inState({
    type: "NUMBER_CONSTRAINT_COMPARISON_TYPE",
    property: "seats",
    operator: "isnotoneof",
    value: "[10,11]",
  })
  const rollout = { segment: { segments: [segment], value: true } }
  const flags = [{ key: "a", type: "BOOLEAN_FLAG_TYPE", enabled: false, rollouts: [rollout] }]
  const text = JSON.stringify({ namespace: { key: "default" }, flags })
  const found = await importTexts(flipt, [{ path: "a.json", text, environment: undefined }])
  expect(found.results.map(({ verdict }) => verdict)).toEqual(["exact"])
})
