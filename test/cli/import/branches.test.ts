import { expect, test } from "vitest"
import { branchesOf } from "../../../cli/import/branches.ts"
import type { Condition } from "../../../cli/language/condition.ts"

const is = (attribute: string): Condition => ({
  ...{ kind: "comparison", attribute, operator: "equals", operand: "1" },
})
const group = (kind: "all" | "any" | "none", ...parts: readonly Condition[]): Condition => ({ kind, parts })
const named = (means: Condition | undefined): Condition => ({ kind: "segment", name: "s", means })

/** Whether the attributes with these names, which are 1, fulfil a condition. */
function holds(condition: Condition, names: string): boolean {
  if (condition.kind === "comparison")
    return condition.operator === "always" || names.includes(condition.attribute)
  if ("means" in condition) return condition.means !== undefined && holds(condition.means, names)
  if (!("parts" in condition)) return false
  const of = (part: Condition) => holds(part, names)
  return condition.kind === "all"
    ? condition.parts.every(of)
    : condition.parts.some(of) === (condition.kind === "any")
}

/** The contexts of a, b and c, as their letters, for which the last rule of a branch holds. */
function reached(branch: readonly Condition[]): string {
  const all = ["", "a", "b", "c", "ab", "ac", "bc", "abc"]
  return all.filter((names) => holds(branch.at(-1) ?? is("nothing"), names)).join(" ")
}

test.each([
  [is("a"), []],
  [group("all", is("a"), is("b")), []],
  [group("any", is("a"), is("b")), ["a ac", "b bc"]],
  [group("any", is("a"), is("b"), is("c")), ["a", "b", "c"]],
  [group("none", is("a"), is("b")), []],
  [group("all", is("c"), group("any", is("a"), is("b"))), ["ac", "bc"]],
  [group("none", group("all", is("a"), is("b"))), ["b bc", "a ac"]],
  [named(group("any", is("a"), is("b"))), ["a ac", "b bc"]],
  [named(undefined), []],
])("the ways to satisfy %j alone", (rule, ways) => {
  expect(branchesOf([rule]).map(reached)).toEqual(ways)
})

test("a branch has the rules before it, and at most twenty are made", () => {
  const choice = group("any", is("a"), is("b"))
  const found = branchesOf([is("x"), choice, is("y"), choice])
  expect(found.map(({ length }) => length)).toEqual([2, 2, 4, 4])
  const many = group("any", ...Array.from({ length: 21 }, (_, at) => is(`a${at}`)))
  expect(branchesOf([many])).toHaveLength(20)
})
