import { expect, test } from "vitest"
import { all, type Condition } from "../../../cli/language/condition.ts"
import { createEncode, longestGroups } from "../../../cli/language/encode.ts"
import { decode } from "../decode.ts"

const is = (operand: string): Condition => ({
  kind: "comparison",
  attribute: "a",
  operator: "equals",
  operand,
})
const group = (...parts: readonly Condition[]): Condition => ({ kind: "any", parts })
const segment = (means: Condition | undefined): Condition => ({ kind: "segment", name: "s", means })

test("the groups and segments of a file are bounded together, and comparisons are not", () => {
  const encode = createEncode("flag")
  const half = is("x".repeat(longestGroups / 2))
  expect(encode(group(half))?.value.length).toBeLessThan(longestGroups)
  expect(encode(segment(half))).toBeUndefined()
  expect(encode(group(is("")))).toBeUndefined()
  expect(encode(half)).toBeDefined()
})

test("a reference without a meaning takes nothing away from the groups after it", () => {
  const encode = createEncode("flag")
  expect(encode(segment(undefined))).toBeUndefined()
  expect(encode(all(is("x"), segment(undefined)))).toBeUndefined()
  expect(encode(group(is("x")))).toEqual({
    attribute: "",
    operator: "any",
    value: '[{"attribute":"a","operator":"equals","value":"x"}]',
  })
})

test("a segment that is used often is not encoded beyond the bound", () => {
  let means = is("x")
  for (let depth = 0; depth < 60; depth++) means = group(segment(means), segment(means))
  expect(createEncode("flag")(means)).toBeUndefined()
})

test("groups that no SDK can read have no condition, and operands that none can read stay as they are", () => {
  expect(decode({ attribute: "", operator: "all", value: "" })).toBeUndefined()
  expect(decode({ attribute: "", operator: "all", value: "[]" })).toBeUndefined()
  for (const [operator, value] of [
    ["in", "DE"],
    ["percentage", "a quarter"],
    ["share", "{}"],
  ] as const) {
    const sent = { attribute: "a", operator, value }
    expect(decode(sent)).toEqual({ kind: "comparison", attribute: "a", operator, operand: value })
  }
})
