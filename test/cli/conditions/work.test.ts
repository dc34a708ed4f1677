import { expect, test } from "vitest"
import { reachOf } from "../../../cli/conditions/reach.ts"
import type { Condition } from "../../../sdk/evaluation/condition.ts"
import { contextsOfSent } from "./contexts-of-sent.ts"
import { scope } from "./world.ts"

const at = (index: number, step: number, size: number) => (index * step) % size
const group = (operator: string, ...parts: readonly Condition[]): Condition => ({
  attribute: "",
  operator,
  value: JSON.stringify(parts),
})

/** A comparison of one of five attributes. */
function comparison(index: number): Condition {
  const countries = Array.from({ length: 5 }, (_, item) => `C${at(index + item * 7, 389, 97)}`)
  const version = `${index % 3}.${at(index, 17, 5)}.${at(index, 13, 5)}`
  const kinds: readonly Condition[] = [
    { attribute: "country", operator: "in", value: JSON.stringify(countries) },
    { attribute: "plan", operator: "equals", value: `p${at(index, 7, 40)}` },
    { attribute: "email", operator: "endsWith", value: `@x${at(index, 31, 30)}.example` },
    { attribute: "version", operator: "semverEquals", value: version },
    { attribute: "id", operator: "percentage", value: String(at(index, 37, 101)) },
  ]
  return kinds[index % 5] as Condition
}
const both = (index: number) => group("all", comparison(index), comparison(at(index, 7, 91) >> 1))
const either = (index: number) => group("any", comparison(index * 3), both(index * 3 + 3))
const [a, b, part] = ["equals a", "equals b", "contains a"].map((text): Condition => {
  const [operator = "", value = ""] = text.split(" ")
  return { attribute: "x", operator, value }
}) as [Condition, Condition, Condition]

const flags = {
  "a comparison each": Array.from({ length: 100 }, (_, index) => comparison(index)),
  "two comparisons each": Array.from({ length: 100 }, (_, index) => both(index)),
  "alternatives each": Array.from({ length: 60 }, (_, index) => either(index)),
  lists: [a, b, part, group("all", a, b)],
  "a list": [group("none", a), group("all", b, part), a, part],
}
const setsOf = (rules: readonly Condition[]) => rules.map((rule) => contextsOfSent(rule, scope))

test.each(Object.keys(flags) as (keyof typeof flags)[])(
  "with too few steps, rules are unknown, and with enough known: %s",
  (name) => {
    const sets = setsOf(flags[name])
    expect(reachOf(sets, 10).map(({ kind }) => kind)).toContain("unknown")
    expect(reachOf(sets, 200_000).map(({ kind }) => kind)).not.toContain("unknown")
  },
)
