import { describe, expect, test } from "vitest"
import { describeChange } from "../../../cli/diff/changes/describe.ts"
import { subjectOf } from "../../../cli/phrases/people.ts"
import { plainPhrase } from "../../../cli/phrases/phrase.ts"
import type { Condition } from "../../../sdk/evaluation/condition.ts"

const is = (attribute: string, value: string): Condition => ({ attribute, operator: "equals", value })
const [german, pro, staff] = [is("country", "DE"), is("plan", "pro"), is("role", "staff")]
const group = (operator: string, ...parts: readonly Condition[]): Condition => ({
  attribute: "",
  operator,
  value: JSON.stringify(parts),
})
const share = (from: number, to: number): Condition => ({
  attribute: "id",
  operator: "share",
  value: JSON.stringify({ seed: "s", from, to }),
})
const many = ["a", "b", "c", "d", "e", "f", "g"].map((name) => is(name, "1"))

describe("people", () => {
  test.each<readonly [string, readonly [Condition, ...Condition[]]]>([
    ["people whose `country` is `DE`", [german]],
    ["people whose `country` is `DE` and whose `plan` is `pro`", [german, pro]],
    ["people whose `country` is `DE` and whose `plan` is `pro`", [group("all", german, pro)]],
    ["people whose `country` is `DE` or whose `plan` is `pro`", [group("any", german, pro)]],
    [
      "people who are not among those whose `country` is `DE` or whose `plan` is `pro`",
      [group("none", german, pro)],
    ],
    [
      "people whose `role` is `staff` and (whose `country` is `DE` or whose `plan` is `pro`)",
      [group("all", staff, group("any", german, pro))],
    ],
    [
      "people whose `role` is `staff` or (whose `country` is `DE` and whose `plan` is `pro`)",
      [group("any", staff, group("all", german, pro))],
    ],
    [
      "people (who are not among those whose `country` is `DE`) and whose `plan` is `pro`",
      [group("all", group("none", german), pro)],
    ],
    [
      "people whose `role` is `staff` and whose `country` is `DE` and whose `plan` is `pro`",
      [group("all", staff, group("all", german, group("any", pro)))],
    ],
    [
      "people (whose `country` is `DE` or whose `plan` is `pro`) and whose `role` is `staff`",
      [group("any", german, pro), staff],
    ],
    ["`20` % of people by `id`", [{ attribute: "id", operator: "percentage", value: "20" }]],
    ["`10` to `20.5` % of people by `id` with the seed `s`", [share(10, 20.5)]],
    ["people among the `5` % by `id` with the seed `s` and whose `plan` is `pro`", [share(0, 5), pro]],
    [
      "people whose `plan` is `pro` or `team` (ignoring case)",
      [{ attribute: "plan", operator: "inIgnoreCase", value: '["pro","team"]' }],
    ],
    [
      "people whose `now` is at or after `2026-01-01`",
      [{ attribute: "now", operator: "afterOrEquals", value: "2026-01-01" }],
    ],
    [
      "people among the `20` % by `id` and whose `country` is `DE`",
      [group("all", { attribute: "id", operator: "percentage", value: "20" }, german)],
    ],
    [
      "people without `plan` and of any kind",
      [
        group(
          "all",
          { attribute: "plan", operator: "notExists", value: "" },
          { ...is("", ""), operator: "always" },
        ),
      ],
    ],
    [
      "people whose `a` is `1` and whose `b` is `1` and whose `c` is `1` and whose `d` is `1` and whose `e` is `1` and who match 2 more conditions",
      [group("all", ...many)],
    ],
    [
      "people whose `a` is `1` or whose `b` is `1` or whose `c` is `1` or whose `d` is `1` or whose `e` is `1` or who match one of 2 more conditions",
      [group("any", ...many)],
    ],
    ["people who match `all` `[]`", [group("all")]],
  ])("%s", (words, conditions) => expect(plainPhrase(subjectOf(...conditions))).toBe(words))
})

test("a rule with groups is shown as it was written", () => {
  const rule = { id: "r", ...group("all", german, group("none", pro, staff)), returnValue: true }
  const change = { kind: "rule-added", flag: "f", environment: "production", to: 0, after: rule } as const
  expect(
    plainPhrase(describeChange({ ...change, impact: "definition", effects: [], file: "", owner: undefined })),
  ).toBe(
    "rule 1 added: all of (`country equals DE`, none of (`plan equals pro`, `role equals staff`)) gives `true`",
  )
})
