import { expect, test } from "vitest"
import type { Clause } from "../../../cli/conditions/clause.ts"
import type { Condition } from "../../../cli/language/condition.ts"
import { areHard } from "../../../cli/phrases/users-by-rules.ts"

const is = (attribute: string, operand = "1"): Condition => ({
  ...{ kind: "comparison", attribute, operator: "equals", operand },
})

test("more than six comparisons are long, in groups or alone, and excluded rules are not counted", () => {
  const clause = (condition: Condition): Clause => ({ condition, holds: true })
  const six = [..."abcdef"].map((name) => is(name))
  expect(areHard([], [six.map(clause)])).toBe(false)
  expect(areHard([], [[...six, is("g")].map(clause)])).toBe(true)
  expect(areHard([], [[clause({ kind: "any", parts: six })]])).toBe(false)
  expect(areHard([], [[clause({ kind: "any", parts: [...six, is("g")] })]])).toBe(true)
  expect(areHard([], [six.map(clause), [clause(is("g"))]])).toBe(true)
  expect(areHard([], [[...six.map(clause), { condition: is("g"), holds: false, rule: 1 }]])).toBe(false)
  expect(areHard(["users (except those (a) b)"], [])).toBe(true)
  expect(areHard(["users with a and either in b or c"], [])).toBe(true)
})
