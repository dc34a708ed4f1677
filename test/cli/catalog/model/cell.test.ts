import { expect, test } from "vitest"
import { cellOf, doTheSame } from "../../../../cli/catalog/model/cell.ts"
import { plainPhrase } from "../../../../cli/diagnostics/phrase.ts"
import { type Condition, fold, never, type Reference } from "../../../../cli/language/condition.ts"
import { startCoverage } from "../../../../cli/specs/coverage.ts"
import { givenIn } from "../../../../cli/stale/given.ts"
import type { Configuration, Flag, Json, Rule } from "../../../../sdk/contract/snapshot.ts"
import { scope } from "../../conditions/world.ts"
import { decode } from "../../decode.ts"
import { flagWith } from "../../rule.ts"

const rule = (operator: string, returnValue: Json, value = "", attribute = ""): Rule => ({
  ...{ id: `${operator}${attribute}${value}`, attribute, operator, value, returnValue },
})
const on = (...rules: readonly Rule[]): Configuration => ({
  ...{ id: "c", flagId: "f", environmentId: "e", enabled: true, rules, updatedAt: "" },
})
const named = {
  ...{ id: "p/a", projectId: "p", key: "a", name: "a", description: "", createdAt: "", updatedAt: "" },
}
const always = (value: Json) => rule("always", value)
const staff = rule("endsWith", true, "@shop.example", "email")
const tenth = rule("percentage", true, "10", "customerId")
const is = (attribute: string, value: string, returnValue: Json) =>
  rule("equals", returnValue, value, attribute)
const between = (from: number, to: number, returnValue: Json = true) =>
  rule("share", returnValue, JSON.stringify({ seed: named.key, from, to }), "customerId")
const beta = rule("equals", true, "true", "flag beta")
const references = new Map<string, Reference>([
  [staff.value, { kind: "segment", name: "staff", means: undefined }],
  ["flag beta", { kind: "flag", environment: "live", key: "beta", is: true, means: undefined }],
])
const rulesIn = ({ rules }: Configuration, line: number) =>
  rules.map((rule, at) => ({
    condition: fold(decode(rule, named.key) ?? never, (node, parts: readonly Condition[]): Condition => {
      if ("parts" in node) return { ...node, parts }
      if (node.kind !== "comparison") return node
      return references.get(node.attribute) ?? references.get(String(node.operand)) ?? node
    }),
    gives: rule.returnValue,
    line,
    rule: { number: at + 1 },
  }))

/** The cell as in the catalogue: the users' values come from the engine. */
function cellFor(type: Flag["type"], defaultValue: Json, environment: Configuration | null, line = 1) {
  const entry = { flag: { ...named, type, defaultValue }, environment }
  const { compileExpression } = scope
  const flag = flagWith({ key: named.key, defaultValue }, "live", environment)
  const outcomes = new Map(
    startCoverage(compileExpression)
      .outcomesIn("live", flag)
      .map(({ by, hits, witness }) => [by, { isReached: true, hits, witness: JSON.stringify(witness) }]),
  )
  return cellOf("live", entry, {
    rules: environment === null ? [] : rulesIn(environment, line),
    given: givenIn(flag, "live", compileExpression),
    reachedBy: (by) => outcomes.get(by as number) ?? { isReached: false, hits: 0, witness: "" },
  })
}

const splitOf = (...shares: readonly (readonly [string, Json])[]) =>
  on(...shares.map(([upTo, value]) => rule("percentage", value, upTo, "id")))

test.each<[string, string, Flag["type"], Json, Configuration | null]>([
  ["off", "off for all", "boolean", false, { ...on(always(true)), enabled: false }],
  ["off", "off for all", "boolean", false, on()],
  ["off", "off for all", "boolean", true, on(always(false))],
  ["on", "on for all", "boolean", true, on()],
  ["on", "on for all", "boolean", false, on(staff, rule("none", true, JSON.stringify([staff])))],
  ["value", '`"dark"` for all', "string", "light", on(always("dark"))],
  ["share", "20 % by `customerId`", "boolean", false, on(rule("percentage", true, "20", "customerId"))],
  ["share", "`staff`, 10 % by `customerId`", "boolean", false, on(staff, tenth)],
  ["share", '50 % `"a"`, 50 % `"b"` by `id`', "string", "", splitOf(["50", "a"], ["100", "b"])],
  ["share", '30 % `"a"`, 20 % `"b"` by `id`', "string", "", splitOf(["30", "a"], ["50", "b"])],
  ["share", "by `id`: 6 values", "number", 0, splitOf(["10", 1], ["20", 2], ["30", 3], ["40", 4], ["50", 5])],
  ["share", "by `plan`, `customerId`", "boolean", false, on(is("plan", "free", false), tenth)],
  ["rules", "with `plan` `pro`", "boolean", false, on(is("plan", "pro", true))],
  ["rules", "who get `true` from flag `beta`", "boolean", false, on(beta)],
  [
    ...["share", "by `id`, `customerId`: 3 values"],
    ...(["string", "", on(rule("percentage", "a", "10", "id"), { ...tenth, returnValue: "b" })] as const),
  ] as never,
  ["share", "between 20 % and 30 % by `customerId`", "boolean", false, on(between(20, 30))],
  [
    ...["rules", "by `a`, `b`, `c`, 2 more"],
    ...(["boolean", false, on(...[..."abcde"].map((name) => is(name, "1", true)))] as const),
  ] as never,
])("%s: %s", (state, words, type, defaultValue, environment) => {
  const cell = cellFor(type, defaultValue, environment)
  expect([cell.state, plainPhrase(cell.words)]).toEqual([state, words])
})

test("a rule has its words, its line, and the contexts that reach it", () => {
  const { rules, otherwise } = cellFor("boolean", false, on(is("plan", "pro", true)), 7)
  expect(rules.map(({ words, ...own }) => ({ words: plainPhrase(words), ...own }))).toEqual([
    {
      words: "`true` for users with `plan` `pro`",
      line: 7,
      rule: { number: 1 },
      isReached: true,
      hits: 0,
      witness: '{"plan":"pro"}',
    },
  ])
  expect(otherwise.isReached).toBe(true)
})

test.each<[string, Configuration | null, Configuration | null, boolean]>([
  ["the same value for all", null, { ...on(always(true)), enabled: false }, true],
  ["a value for all and one by rules", on(always(true)), on(staff), false],
  ["the same rules", on(staff, tenth), on({ ...staff, id: "x" }, tenth), true],
  ["one more rule", on(staff), on(staff, tenth), false],
  ["one rule less", on(staff, tenth), on(staff), false],
  ["a different second rule", on(staff, tenth), on(staff, is("plan", "pro", true)), false],
])("two environments with %s", (_, before, after, expected) =>
  expect(doTheSame(cellFor("boolean", false, before), cellFor("boolean", false, after))).toBe(expected),
)
