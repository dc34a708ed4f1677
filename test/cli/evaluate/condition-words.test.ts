import { expect, test } from "vitest"
import { plainPhrase } from "../../../cli/diagnostics/phrase.ts"
import { whyOf } from "../../../cli/evaluate/condition-words.ts"
import { createEvaluator } from "../../../sdk/evaluation/evaluator.ts"
import { entryOf } from "./entries.ts"

async function why(operator: string, value: string, context: object, attribute = "a"): Promise<string> {
  const rule = { id: "r", attribute, operator, value, returnValue: true }
  const { explain } = await createEvaluator({ flags: [entryOf("f", [rule])] })
  const condition = explain("f", { ...context }).rules[0]?.condition
  if (condition === undefined) throw new Error("no rule was explained")
  const mark = condition.truth === "unknown" ? "?" : condition.truth ? "+" : "-"
  return `${mark} ${plainPhrase(whyOf(condition))}`
}

test.each([
  ["equals", "pro", { a: "pro" }, "+ `a` is `pro`"],
  ["equals", "pro", { a: "free" }, "- `a` is `free`, not `pro`"],
  ["equals", "pro", { a: "" }, "- `a` is empty, not `pro`"],
  ["equals", "pro", {}, "- the context has no `a`"],
  ["equals", "pro", { a: { b: 1 } }, "- `a` is an object, which cannot be compared"],
  ["notEquals", "pro", { a: "free" }, "+ `a` is `free`, not `pro`"],
  ["notEquals", "pro", { a: ["x", "pro"] }, "- `a` is the list of `x` and `pro`, one of which is `pro`"],
  ["notContains", "x", { a: ["b"] }, "+ `a` is the list of `b`, none of which contains `x`"],
  ["endsWith", "x", { a: [] }, "- `a` is a list without strings, none of which ends with `x`"],
  ["in", '["b","c"]', { a: "d" }, "- `a` is `d`, which is not one of `b` and `c`"],
  ["notIn", '["b","c"]', { a: "c" }, "- `a` is `c`, which is one of `b` and `c`"],
  [
    "in",
    "[1,2,3,4,5,6,7]".replace(/\d/g, '"$&"'),
    { a: "3" },
    "+ `a` is `3`, which is one of `1`, `2`, `3`, `4`, `5` and 2 more",
  ],
  ["matches", "^b", { a: "cb" }, "- `a` is `cb`, which does not match `^b`"],
  [
    "semverNotEquals",
    "1.2",
    { a: ["1.3"] },
    "+ `a` is the list of `1.3`, which contains a version, but not `1.2`",
  ],
  ["equalsIgnoreCase", "pro", { a: "Pro" }, "+ `a` is `Pro`, which is `pro` (ignoring case)"],
  [
    "share",
    '{"seed":"s","from":0,"to":10}',
    { a: "u" },
    "- `a` is `u`, which falls at `70.9627` % with the seed `s`, not below `10` %",
  ],
  [
    "share",
    '{"seed":"s","from":70,"to":95.5}',
    { a: "u" },
    "+ `a` is `u`, which falls at `70.9627` % with the seed `s`, within `70` to `95.5` %",
  ],
  ["share", '{"seed":"s","from":0,"to":10}', { a: "" }, "- `a` is empty, so it is in no share"],
  ["exists", "", { a: { b: 1 } }, "+ the context has `a`"],
  ["notExists", "", { a: 1 }, "- the context has `a`"],
  ["notExists", "", {}, "+ the context has no `a`"],
  ["percentage", "100", { a: "u" }, "+ `a` is `u`, which falls at `54.3644` %, below `100` %"],
  ["percentage", "10", { a: "" }, "- `a` is empty, so it is in no share"],
  ["percentage", "10", { a: ["u"] }, "- `a` is the list of `u`, and a list is in no share"],
  ["always", "", {}, "+ it matches everyone"],
  ["fullMoon", "x", { a: 1 }, "? `fullMoon` is a custom operator, which only the project's SDKs support"],
  [
    "greaterThan",
    "x",
    { a: 1 },
    "- the value of `greaterThan` cannot be read, so the condition matches no one",
  ],
  ["in", '["b"]', { a: "e" }, "- `a` is `e`, not `b`"],
])("%s %s of %o", async (operator, value, context, expected) =>
  expect(await why(operator, value, context)).toBe(expected),
)

const is = (attribute: string, value: string) => ({ attribute, operator: "equals", value })
const german = is("country", "DE")
const pro = is("plan", "pro")
const group = (operator: string, ...parts: readonly object[]) => ({
  attribute: "",
  operator,
  value: JSON.stringify(parts),
})

test.each([
  ["all", [german, pro], { country: "DE", plan: "pro" }, "+ `country` is `DE` and `plan` is `pro`"],
  ["all", [german, pro], { country: "DE", plan: "free" }, "- `plan` is `free`, not `pro`"],
  ["any", [german, pro], { country: "FR" }, "- `country` is `FR`, not `DE`, and the context has no `plan`"],
  [
    "any",
    [german, { ...german, value: "AT" }, pro],
    {},
    "- the context has no `country` and the context has no `plan`",
  ],
  [
    "any",
    [group("all", pro, german), group("all", pro, is("role", "staff"))],
    { country: "DE", role: "staff" },
    "- the context has no `plan`",
  ],
  ["none", [german, pro], { country: "FR" }, "+ `country` is `FR`, not `DE`, and the context has no `plan`"],
  ["none", [german, pro], { country: "DE" }, "- `country` is `DE`"],
  [
    "all",
    [german, group("any", pro, is("role", "staff"))],
    { country: "DE", plan: "x", role: "y" },
    "- `plan` is `x`, not `pro`, and `role` is `y`, not `staff`",
  ],
  [
    "any",
    [german, group("all", pro, is("role", "staff"))],
    { country: "FR" },
    "- `country` is `FR`, not `DE`, and (the context has no `plan` and the context has no `role`)",
  ],
  [
    "any",
    [..."bcdefg"].map((value) => is(value, "1")),
    {},
    "- the context has no `b`; the context has no `c`; the context has no `d`; the context has no `e`; the context has no `f`; and 1 more",
  ],
])("%s of %o in %o says what decides", async (operator, parts, context, expected) =>
  expect(await why(operator, JSON.stringify(parts), context, "")).toBe(expected),
)

test.each([
  [true, true, true, "the flag `beta` gives `true`"],
  [false, true, true, "the flag `beta` gives `false`, not `true`"],
  [false, false, true, "the flag `beta` gives `true`, not `false`"],
  [false, "x", false, 'the flag `beta` does not give `"x"`'],
  [
    "unknown",
    "x",
    false,
    'whether the flag `beta` gives `"x"` depends on an operator that only the project\'s SDKs support',
  ],
] as const)("%s for a flag that gives %j", async (truth, gives, isBoolean, expected) => {
  const condition = {
    attribute: "",
    operator: "always",
    value: "",
    truth,
    reason: { kind: "always" },
  } as const
  expect(plainPhrase(whyOf({ ...condition, asked: { key: "beta", gives, isBoolean } }))).toBe(expected)
})
