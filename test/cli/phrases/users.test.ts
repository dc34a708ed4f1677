import { describe, expect, test } from "vitest"
import type { Clause } from "../../../cli/conditions/clause.ts"
import { termsOf } from "../../../cli/conditions/flatten.ts"
import { phrase, plainPhrase } from "../../../cli/diagnostics/phrase.ts"
import { describeChange } from "../../../cli/diff/changes/describe.ts"
import { never, type Reference } from "../../../cli/language/condition.ts"
import { percent } from "../../../cli/phrases/share-words.ts"
import { userWords, verbFor } from "../../../cli/phrases/users.ts"
import { usersWho } from "../../../cli/phrases/users-who.ts"
import type { Condition } from "../../../sdk/evaluation/condition.ts"
import { decode } from "../decode.ts"
import { ruleOf } from "../rule.ts"

const compare = (attribute: string, operator: string, value = ""): Condition => ({
  attribute,
  operator,
  value,
})
const is = (attribute: string, value: string) => compare(attribute, "equals", value)
const contains = (value: string) => compare("g", "contains", value)
const [german, pro, staff] = [is("country", "DE"), is("plan", "pro"), is("role", "staff")]
const group = (operator: string, ...parts: readonly Condition[]): Condition => ({
  attribute: "",
  operator,
  value: JSON.stringify(parts),
})
const none = (...parts: readonly Condition[]) => group("none", ...parts)
const all = (...parts: readonly Condition[]) => group("all", ...parts)
const many = ["a", "b", "c", "d", "e", "f", "g"].map((name) => is(name, "1"))
const decoded = (condition: Condition) => decode(condition) ?? never
const words = (condition: Condition) => plainPhrase(usersWho(termsOf(decoded(condition))))
const matching = (condition: Condition): Clause => ({ condition: decoded(condition), holds: true })
const except = (condition: Condition, rule: number): Clause => ({
  ...{ condition: decoded(condition), holds: false, rule },
})
const wordsOf = (...term: readonly Clause[]) => plainPhrase(usersWho([term]))
const share = (value: string) => compare("u", "percentage", value)
const range = (from: number, to: number, seed = "s", by = "u") =>
  compare(by, "share", JSON.stringify({ seed, from, to }))

describe("users", () => {
  test.each<readonly [string, Condition]>([
    ["everyone", compare("", "always")],
    [
      "users with `role` `staff`, either in `DE` or with `plan` `pro`",
      group("all", staff, group("any", german, pro)),
    ],
    [
      "users either (with `p` `1`, either with `a` `1` or with `b` `1`) or with `q` `2`, either with `x` `1` or with `y` `1`",
      group(
        "all",
        group("any", group("all", is("p", "1"), group("any", is("a", "1"), is("b", "1"))), is("q", "2")),
        group("any", is("x", "1"), is("y", "1")),
      ),
    ],
    [
      "users with `role` `staff`, either (in `DE` with `plan` `pro`), (with `p` `1` or `2`) or with `q` `a or b`",
      group(
        "all",
        staff,
        group("any", group("all", german, pro), compare("p", "in", '["1","2"]'), is("q", "a or b")),
      ),
    ],
    [
      "users with `role` `staff` (except those in `DE` with `plan` `pro`), either with `x` `1` or with `y` `1`",
      group("all", group("any", is("x", "1"), is("y", "1")), none(group("all", german, pro)), staff),
    ],
    [
      "users with `role` `staff`, either not (in `DE` with `plan` `pro`) or with `q` `2`",
      group("all", staff, group("any", none(group("all", german, pro)), is("q", "2"))),
    ],
    ["users with `country` empty", is("country", "")],
    [
      "users in `DE`, and users with `country` `AT` or empty",
      group("any", german, compare("country", "in", '["AT",""]')),
    ],
    ["no one", compare("country", "in", "[]")],
    ["everyone", none(compare("tags", "in", "[]"))],
    [
      "users in `DE`, either with `plan` `pro` or of any kind",
      group("all", german, group("any", pro, none(compare("tags", "in", "[]")))),
    ],
    [
      "users whose `g` contains `a` and `b` but not `c` or `d`",
      group("all", ...["a", "b"].map(contains), none(contains("c"), contains("d"))),
    ],
    [
      "users whose `ua` contains `a` and starts with `b` but does not contain `c`",
      group(
        "all",
        compare("ua", "contains", "a"),
        compare("ua", "startsWith", "b"),
        compare("ua", "notContains", "c"),
      ),
    ],
    ["everyone whose `email` matches `x` or is missing", none(compare("email", "notMatches", "x"))],
    [
      "users whose `email` matches `x` but not `y`",
      group("all", compare("email", "notMatches", "y"), compare("email", "matches", "x")),
    ],
    ["0.0000001 % of users by `u`", share("0.0000001")],
    [
      "everyone neither in `DE` nor among the first 10 % by `u` whose `plan` is `pro` or missing",
      none(compare("plan", "notEquals", "pro"), german, share("10")),
    ],
    ["everyone not on `v` `4`", none(compare("v", "semverEquals", "4"))],
    [
      "everyone whose `v` is neither before `4` nor after `5`",
      none(compare("v", "semverLessThan", "4"), compare("v", "semverGreaterThan", "5")),
    ],
    ["users with `now` after `2026-12-24T00:00:00Z`", compare("now", "after", "2026-12-24T00:00:00Z")],
    ["users who match `x ours 1`", compare("x", "ours", "1")],
  ])("%s", (expected, condition) => expect(words(condition)).toBe(expected))

  test.each<readonly [string, readonly Condition[]]>([
    [
      "with `plan` `a` (ignoring case) whose `plan` is not `a` (ignoring case)",
      [compare("plan", "equalsIgnoreCase", "a"), none(compare("plan", "equalsIgnoreCase", "a"))],
    ],
    [
      "with any `plan` without `plan` `a` or `b`",
      [none(is("plan", "a")), none(is("plan", "b")), compare("plan", "exists")],
    ],
    [
      "with `n` below `5` and with `n` other than `4`",
      [none(is("n", "4")), compare("n", "exists"), compare("n", "lessThan", "5")],
    ],
    ["who do not match `x ours`", [none(compare("x", "ours"))]],
    [
      "with `n` below `5` and with `n` below `7`",
      [compare("n", "lessThan", "5"), compare("n", "lessThan", "7")],
    ],
    [
      "with `n` above `5` and with `n` above `7` and with `n` below `9`",
      [compare("n", "greaterThan", "5"), compare("n", "greaterThan", "7"), compare("n", "lessThan", "9")],
    ],
    [
      "whose `n` is neither `5` or less nor `9` or more",
      [none(compare("n", "greaterThanOrEquals", "9"), compare("n", "lessThanOrEquals", "5"))],
    ],
    [
      "between 20 % and 60 % by `u` (seed `s`) and not between 30 % and 40 % by `u` (seed `s`)",
      [range(20, 60), none(range(30, 40))],
    ],
    ["with an empty `u`", [compare("u", "exists"), none(share("100"))]],
    [
      "neither in `DE` or `AT` nor among the first 10 % by `u`",
      [none(compare("country", "in", '["DE","AT"]'), share("10"))],
    ],
    ["without `plan` `a` and without a `plan`", [none(is("plan", "a"), compare("plan", "exists"))]],
    [
      "with `g` `a` (ignoring case) whose `g` does not contain `a`",
      [compare("g", "equalsIgnoreCase", "a"), none(contains("a"))],
    ],
    [
      "with `role` `staff`, either with `plan` in `[]` or with `q` `2`",
      [staff, group("any", compare("plan", "in", "[]"), is("q", "2"))],
    ],
  ])("who match all of some conditions: %s", (expected, conditions) =>
    expect(words(all(...conditions)).replace(/^(users|everyone|all users) /, "")).toBe(expected),
  )

  test("long lists and large groups are counted", () => {
    const six = compare("plan", "in", JSON.stringify([..."abcdef"]))
    expect(words(six)).toBe("users with `plan` `a`, `b`, `c`, `d`, `e` or 1 more")
    expect(words(none(compare("country", "in", JSON.stringify([..."abcdefg"]))))).toBe(
      "everyone outside `a`, `b`, `c`, `d`, `e` and 2 more",
    )
    expect(words(group("any", ...many.slice(0, 6)))).toMatch(/, and users with `e` `1`, and 1 more group$/)
    const list = compare("plan", "in", JSON.stringify([..."abcdefg"]))
    expect(words(list)).toBe("users with `plan` `a`, `b`, `c`, `d`, `e` or one of 2 more")
    expect(words(group("any", ...many))).toMatch(/, and users with `e` `1`, and 2 more groups$/)
    const others = many.map(({ attribute }) => is(attribute, "2"))
    expect(words(group("all", ...many, ...others))).toMatch(/ who match 8 more conditions$/)
  })

  test.each<readonly [string, readonly Condition[]]>([
    [
      "users with `role` `staff`, either not (with `region` `EU` and with `plan` `pro`) or in `DE`",
      [staff, group("any", none(group("all", is("region", "EU"), pro)), german)],
    ],
    [
      "users with `role` `staff`, either with `a` `1`, with `b` `1`, with `c` `1`, with `d` `1`, with `e` `1` or matching one of 2 more conditions",
      [staff, group("any", ...many)],
    ],
    [
      "users with `role` `staff`, either with `a` `1`, with `b` `1`, with `c` `1`, with `d` `1`, with `e` `1` or matching 1 more condition",
      [staff, group("any", ...many.slice(0, 6))],
    ],
    [
      "users with `role` `staff`, either with `z` `1` or with `q` `2` (except those in `DE` with `plan` `pro`)",
      [staff, group("any", group("all", none(group("all", german, pro)), is("q", "2")), is("z", "1"))],
    ],
    ["users in `DE` with `plan` `pro` and with `region` `EU`", [german, pro, is("region", "EU")]],
    [
      "users between 20 % and 60 % by `u` (seed `s`) and outside the first 40 % by `u` (seed `t`)",
      [none(range(0, 40, "t")), range(20, 60)],
    ],
    [
      "users with `a` `1` and with `b` `1` and with `c` `1` and with `d` `1` and with `e` `1` and with `f` `1` who match 1 more condition",
      many,
    ],
  ])("in order: %s", (expected, conditions) => expect(wordsOf(...conditions.map(matching))).toBe(expected))

  test("rules and segments have names", () => {
    const segment = { kind: "segment", name: "germans", means: decoded(german) } as const
    const germans = { condition: segment, holds: true }
    const others = { ...germans, holds: false }
    expect(wordsOf(germans)).toBe("users in segment `germans`")
    expect(wordsOf(matching(is("a", "1")), others)).toBe("users with `a` `1` outside segment `germans`")
    expect(wordsOf(germans, except(pro, 1))).toBe(
      "users in segment `germans` except users with `plan` `pro` (rule 1)",
    )
    expect(wordsOf(except(pro, 1), except(staff, 2))).toBe(
      "everyone except users with `plan` `pro` (rule 1) and users with `role` `staff` (rule 2)",
    )
    const [below, above] = [compare("v", "semverLessThan", "4"), compare("v", "semverGreaterThan", "5")]
    expect(wordsOf(except(below, 1), except(above, 2))).toBe(
      "everyone whose `v` is neither before `4` nor after `5`",
    )
    expect(wordsOf(matching(compare("v", "semverLessThan", "9")), except(below, 1))).toBe(
      "users on `v` from `4` to before `9`",
    )
    expect(wordsOf(except(below, 1), others)).toBe(
      "everyone outside segment `germans` except users on `v` before `4` (rule 1)",
    )
    expect(
      wordsOf(others, {
        ...others,
        condition: { ...segment, name: "austrians", means: decoded(is("country", "AT")) },
      }),
    ).toBe("everyone neither in segment `germans` nor in segment `austrians`")
    const lower = compare("v", "semverLessThan", "3")
    expect(wordsOf(except(below, 1), except(lower, 2))).toBe(
      "everyone except users on `v` before `4` (rule 1) and users on `v` before `3` (rule 2)",
    )
    expect(wordsOf(except(below, 1), except(compare("w", "semverGreaterThan", "5"), 2))).toBe(
      "everyone except users on `v` before `4` (rule 1) and users on `w` after `5` (rule 2)",
    )
    expect(wordsOf(matching(compare("v", "semverGreaterThanOrEquals", "3")), except(below, 1))).toBe(
      "users on `v` `3` or later whose `v` is not before `4`",
    )
    expect(wordsOf(except(staff, 2))).toBe("everyone except users with `role` `staff` (rule 2)")
  })

  test("rules with groups are named after what they are, long ones after what they depend on", () => {
    const withoutRule = (rule: Condition) => wordsOf(except(rule, 1))
    expect(withoutRule(group("all", german, pro))).toBe(
      "everyone except users in `DE` with `plan` `pro` (rule 1)",
    )
    expect(withoutRule(group("any", german, pro))).toBe(
      "everyone except users in `DE`, or with `plan` `pro` (rule 1)",
    )
    expect(withoutRule(none(german))).toBe("everyone except users outside `DE` (rule 1)")
    expect(withoutRule(group("all", ...many))).toBe(
      "everyone except those who match rule 1 (by `a`, `b`, `c`, 4 more)",
    )
    // Words of 60 characters, and of 61.
    expect(withoutRule(is("a", "x".repeat(49)))).toBe(
      `everyone except users with \`a\` \`${"x".repeat(49)}\` (rule 1)`,
    )
    expect(withoutRule(is("a", "x".repeat(50)))).toBe("everyone except those who match rule 1 (by `a`)")
    expect(withoutRule(group("any", german, none(compare("tags", "in", "[]"))))).toBe(
      "everyone except everyone (rule 1)",
    )
  })

  test("beside shares, many words are few: the longest clause and the words of rules go first", () => {
    const list = compare("plan", "in", JSON.stringify([..."abcde"]))
    const clauses = [
      ...[list, german, is("role", "b")].map(matching),
      ...[pro, staff].map((condition, at) => except(condition, at + 1)),
    ]
    const { whom, except: rules } = userWords(clauses, 14)
    expect(plainPhrase(whom)).toBe(" in `DE` with `role` `b` who match 1 more condition")
    expect(plainPhrase(rules)).toBe(" except those who match rules 1 and 2")
  })

  test("rules are listed by their numbers, six of them counted", () => {
    const rules = (...numbers: readonly number[]) =>
      wordsOf(...numbers.map((number, at) => except(many[at] ?? german, number)))
    expect(rules(3, 1, 2)).toBe("everyone except those who match rules 1, 2 and 3")
    expect(rules(2, 1)).toBe("everyone except users with `b` `1` (rule 1) and users with `a` `1` (rule 2)")
    expect(rules(6, 1, 2, 3, 4, 5)).toBe(
      "everyone except those who match rules 1 to 6 (by `b`, `c`, `d`, 3 more)",
    )
    expect(rules(1, 2, 3, 4, 5, 7)).toBe("everyone except those who match 6 rules (by `a`, `b`, `c`, 3 more)")
    const named = { kind: "segment", name: "germans", means: decoded(german) } as const
    const asked: Reference = {
      ...({ kind: "flag", environment: "production", key: "beta", is: true } as const),
      means: decoded(pro),
    }
    const references = [named, asked, ...many.slice(0, 4).map(decoded)]
    expect(wordsOf(...references.map((condition, at) => ({ condition, holds: false, rule: at + 1 })))).toBe(
      "everyone except those who match rules 1 to 6 (by `germans`, `beta`, `a`, 3 more)",
    )
  })

  test.each<readonly [string, Condition]>([
    ["everyone outside `DE` gets", none(german)],
    ["users in `DE` get", german],
    ["everyone without `plan` `pro`, and users in `DE` get", group("any", none(pro), german)],
  ])("agree with their verb: %s", (expected, condition) => {
    const users = usersWho(termsOf(decoded(condition)))
    expect(plainPhrase(phrase`${users} ${[verbFor(users, "get", "gets")]}`)).toBe(expected)
  })

  test("a condition on another flag is named after that flag", () => {
    const use = { kind: "flag", environment: "production" } as const
    const beta: Reference = { ...use, key: "beta", is: true, means: decoded(german) }
    const colour: Reference = { ...use, key: "colour", is: "green", means: decoded(pro) }
    const asked = { condition: beta, holds: true }
    expect(wordsOf(asked)).toBe("users who get `true` from flag `beta`")
    expect(wordsOf(asked, matching(staff))).toBe("users with `role` `staff` who get `true` from flag `beta`")
    expect(wordsOf(asked, matching(compare("email", "startsWith", "a")))).toBe(
      "users who get `true` from flag `beta` and whose `email` starts with `a`",
    )
    expect(wordsOf({ ...asked, holds: false })).toBe("all users who do not get `true` from flag `beta`")
    expect(wordsOf(asked, { condition: colour, holds: false, rule: 1 })).toBe(
      'users who get `true` from flag `beta` except users who get `"green"` from flag `colour` (rule 1)',
    )
  })
})

const inProduction = {
  ...({ flag: "f", environment: "production", impact: "definition", effects: [] } as const),
  ...{ file: "", owner: undefined },
}

test("a rule with groups is shown as it was written", () => {
  const after = ruleOf({ id: "r", ...group("all", german, none(pro, staff)), returnValue: true })
  const written = { before: undefined, after }
  const change = { ...inProduction, written, kind: "rule-added", to: 0, after } as const
  expect(plainPhrase(describeChange(change))).toBe(
    "rule 1 added: all of (`country equals DE`, none of (`plan equals pro`, `role equals staff`)) gives `true`",
  )
})

test("a comparison that ignores case is shown as it was written", () => {
  const sent = { id: "r", ...compare("country", "in", '["de"]'), returnValue: true }
  const [before, after] = [ruleOf(sent), ruleOf({ ...sent, operator: "inIgnoreCase" })]
  const isNew = { written: { before: undefined, after } }
  const added = { ...inProduction, ...isNew, kind: "rule-added", to: 0, after } as const
  expect(plainPhrase(describeChange(added))).toBe(
    'rule 1 added: `country in ["de"]` (ignoring case) gives `true`',
  )
  const edited = { kind: "rule-edited", from: 0, to: 0, members: ["operator"], before, after } as const
  const written = { before, after }
  expect(plainPhrase(describeChange({ ...inProduction, ...edited, written }))).toBe(
    'rule 1 edited: `country in ["de"]` → `country in ["de"]` (ignoring case)',
  )
})

test.each([
  [0, "0"],
  [0.1 + 0.2, "0.3"],
  [100 / 3, "33.3333333333"],
])("a share of %d is %s percent", (number, expected) => expect(percent(number)).toBe(expected))
