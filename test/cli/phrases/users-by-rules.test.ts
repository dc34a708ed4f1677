import { expect, test } from "vitest"
import type { Clause } from "../../../cli/conditions/clause.ts"
import type { Group } from "../../../cli/conditions/moves/group.ts"
import type { Outcome } from "../../../cli/conditions/moves/outcome.ts"
import { plainPhrase } from "../../../cli/diagnostics/phrase.ts"
import { growingShare } from "../../../cli/import/shares.ts"
import type { Condition } from "../../../cli/language/condition.ts"
import { areHard, usersByRules } from "../../../cli/phrases/users-by-rules.ts"
import { usersOfLast } from "../../../cli/phrases/who-gets-what.ts"

const is = (attribute: string, operand = "1"): Condition => ({
  ...{ kind: "comparison", attribute, operator: "equals", operand },
})
const share = (from: number, to: number): Condition => ({ kind: "share", by: "u", seed: "s", from, to })
/** A rule by its number, or the default, which has none. */
const outcome = (number: number | undefined, value: string, condition: Condition = is(`a${number}`)) =>
  ({
    rule: number && { number },
    value,
    condition,
    name: JSON.stringify([number ?? null, condition]),
  }) as Outcome
const bAndC: Condition = { kind: "all", parts: [is("b"), is("c")] }
const aWithoutBAndC: Condition = { kind: "all", parts: [is("a"), { kind: "none", parts: [bAndC] }] }
const otherwise = (value: string) => outcome(undefined, value)

/** Whom a group is that moves from each outcome with `x` to each with `y`. */
function words(
  before: readonly Outcome[],
  after: readonly Outcome[],
  isNew = false,
  inWords = 0,
): string | undefined {
  const from = before.filter(({ value }) => value === "x")
  const to = after.filter(({ value }) => value === "y")
  const moves = from.flatMap((left) => to.map((reached) => ({ before: left, after: reached })))
  const group = { before: isNew ? undefined : from[0], after: to[0], moves } as unknown as Group
  const had = isNew ? before.map((none) => ({ ...none, value: undefined }) as unknown as Outcome) : before
  const users = usersByRules(group, { before: had, after }, [" word".repeat(inWords)])
  return users && plainPhrase(users)
}

test.each<[string | undefined, readonly Outcome[], readonly Outcome[], boolean?, number?]>([
  ["users whom rule 1 (users with `a1` `1`) decides", [otherwise("x")], [outcome(1, "y")], true],
  ["users whom rule 1 (by `a`, `b`, `c`) decides", [otherwise("x")], [outcome(1, "y", aWithoutBAndC)], true],
  [
    "users whom rule 2 (users with `h` `1`) decided before and rule 2 (users with `h` `1`) decides now",
    [outcome(1, "z"), outcome(2, "x", is("h"))],
    [outcome(1, "z", is("narrower")), outcome(2, "y", is("h"))],
  ],
  [
    "users whom rule 2 (users with `h` `1`) decides",
    [outcome(1, "z"), outcome(2, "x", is("h"))],
    [outcome(1, "z"), outcome(2, "y", is("h"))],
  ],
  [
    "users whom rule 1, rule 2, rule 10 or no rule decided before",
    [outcome(2, "x"), otherwise("x"), outcome(10, "x"), outcome(1, "x")],
    [otherwise("y")],
  ],
  [
    "users whom one of 4 rules or no rule decided before and rule 1 (users with `a1` `1`) decides now",
    [outcome(1, "x"), outcome(2, "x"), outcome(3, "x"), outcome(4, "x"), otherwise("x")],
    [outcome(1, "y")],
  ],
  [
    "users whom rule 1 (by `u`) decided before",
    [outcome(1, "x", share(0, 10)), outcome(1, "x", share(10, 20))],
    [otherwise("y")],
  ],
  [undefined, [outcome(1, "x", share(0, 10)), outcome(1, "z", share(10, 20))], [otherwise("y")]],
  [undefined, [outcome(1, "x", share(0, 10)), outcome(1, "z")], [otherwise("y")], false, 24],
  [
    "some users whom rule 1 (users among the first 10 % by `u`, seed `s`) decided before",
    [outcome(1, "x", share(0, 10)), outcome(1, "z")],
    [otherwise("y")],
    ...([false, 25] as const),
  ],
  [
    "users whom rule 1 decided before and rule 2 (users with `c` `1`, or with `a` `1`, or with `b` `1`) decides now",
    [outcome(1, "x", { kind: "any", parts: ["c", "d"].map((name) => is(name)) })],
    [outcome(2, "y", { kind: "any", parts: ["c", "a", "b"].map((name) => is(name)) })],
  ],
])("%s", (expected, before, after, ...said) => expect(words(before, after, ...said)).toBe(expected))

test("more than six comparisons are long, in groups or alone, and excluded rules are not counted", () => {
  const clause = (condition: Condition): Clause => ({ condition, holds: true })
  const six = [..."abcdef"].map((name) => is(name))
  expect(areHard([], [six.map(clause)])).toBe(false)
  expect(areHard([], [[...six, is("g")].map(clause)])).toBe(true)
  expect(areHard([], [[clause({ kind: "any", parts: six })]])).toBe(false)
  expect(areHard([], [[clause({ kind: "any", parts: [...six, is("g")] })]])).toBe(true)
  expect(areHard([], [six.map(clause), [clause(is("g"))]])).toBe(true)
  expect(areHard([], [[...six.map(clause), { condition: is("g"), holds: false, rule: 1 }]])).toBe(false)
  expect(areHard(["users (except those matching a condition by a)"], [])).toBe(true)
  expect(areHard(["users with a, either in b or c"], [])).toBe(true)
})

test.each([
  [6, "4 % from 2027-01-05, 5 % from 2027-01-06 and 6 % from 2027-01-07"],
  [7, "5 % from 2027-01-06, 6 % from 2027-01-07 and 7 % from 2027-01-08"],
  [50, "5 % from 2027-01-06, 44 more stages and 50 % from 2027-02-20"],
])("of a ramp with %i stages, a reader gets the begin and the end: %s", (count, end) => {
  const stages = Array.from({ length: count }, (_, day) => ({
    ...{ share: day + 1, at: new Date(Date.UTC(2027, 0, day + 2)).toISOString().slice(0, 10) },
  }))
  const words = plainPhrase(usersOfLast([growingShare("id", stages, "now")]))
  expect(words).toMatch(/^users by `id`: 1 % from `2027-01-02`, 2 %/)
  expect(words.replaceAll("`", "").slice(-end.length)).toBe(end)
})
