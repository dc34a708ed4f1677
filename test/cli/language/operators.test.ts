import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { describe, expect, test } from "vitest"
import { predicateOf } from "../../../cli/conditions/predicate.ts"
import { plainPhrase } from "../../../cli/diagnostics/phrase.ts"
import { describeChange } from "../../../cli/diff/changes/describe.ts"
import { operatorDescriptions } from "../../../cli/editor/editor-words.ts"
import { whyOf } from "../../../cli/evaluate/condition-words.ts"
import { sameRule } from "../../../cli/flag/same-rule.ts"
import { never } from "../../../cli/language/condition.ts"
import { nameOnWire, operators } from "../../../cli/language/operators.ts"
import { inOrder, listTwin, oppositeOf, presenceTwin } from "../../../cli/language/related-operators.ts"
import { usersWho } from "../../../cli/phrases/users-who.ts"
import { createEvaluator } from "../../../sdk/evaluation/evaluator.ts"
import { loadExpressions } from "../../../sdk/evaluation/expression.ts"
import { isOperator, operatorsOnWire, scopeOfFlag } from "../../../sdk/evaluation/operators.ts"
import { decode } from "../decode.ts"
import { diffOf, sideOf } from "../diff/sides.ts"
import { entryOf } from "../evaluate/entries.ts"

// Whatever is known of an operator is known of each of them, and of its twin that ignores case.

const written = [...operators.keys()]
const sent = [...operatorsOnWire.keys()]
const compared = sent.filter((name) => name !== "always")

/** An operand that the operator can read. */
function operandOf(name: string): string {
  if (name === "share") return '{"seed":"s","from":0,"to":50}'
  const base = name.replace(/IgnoreCase$/, "")
  const examples = {
    nothing: "",
    text: "a",
    expression: "^a",
    number: "5",
    version: "1.2",
    date: "2026-12-01",
    percent: "50",
  }
  const { operand = "nothing", takesList } = operators.get(base) ?? {}
  return takesList ? JSON.stringify([examples[operand]]) : examples[operand]
}

const scope = scopeOfFlag("f", { compileExpression: await loadExpressions() })
const root = resolve(import.meta.dirname, "../../..")
const read = (path: string) => readFileSync(join(root, path), "utf8")

describe("each operator", () => {
  test.each(sent)("%s is evaluated, and has vectors", (name) => {
    expect(isOperator(name)).toBe(true)
    expect(read("sdk/evaluation/vectors/flagstone.jsonl")).toContain(`"operator":"${name}"`)
  })
  test.each(compared)("%s can be searched for a context", (name) => {
    expect(predicateOf({ attribute: "a", operator: name, value: operandOf(name) }, scope)).toBeDefined()
  })
  test.each(compared)("%s reads as words in diff", (name) => {
    const condition = decode({ attribute: "a", operator: name, value: operandOf(name) }) ?? never
    for (const holds of [true, false]) {
      const words = plainPhrase(usersWho([[{ condition, holds }]]))
      expect(words).toContain("`a`")
      expect(words).not.toMatch(/ who (do not )?match/)
    }
  })
  test.each(compared)("%s reads as words in evaluate", async (name) => {
    const rule = { id: "r", attribute: "a", operator: name, value: operandOf(name), returnValue: true }
    const { explain } = await createEvaluator({ flags: [entryOf("f", [rule])] })
    const [text, other] = ["a", "b"].map((a) => explain("f", { a }).rules[0]?.condition)
    for (const condition of [text, other]) {
      const words = condition && plainPhrase(whyOf(condition))
      expect(words).toMatch(/exists$/i.test(name) ? /^the context has/ : /^`a` is (?!`[ab]`$)|^`a` is `a`$/)
    }
  })
  test.each(written)("%s is for editors and in the pages", (name) => {
    const { markdownEnumDescriptions } = operatorDescriptions([]) as {
      readonly markdownEnumDescriptions: readonly string[]
    }
    expect(markdownEnumDescriptions[written.indexOf(name)]).toMatch(/^[A-Z].*\.$/s)
    expect(read("docs/flag-files.md")).toContain(`\`${name}\``)
    expect(read("docs/evaluation.md")).toContain(`\`${name}\``)
  })
  test.each(written.filter((name) => name !== "always"))("%s fits an attribute of some type", (name) => {
    expect(operators.get(name)?.types).not.toEqual([])
  })
})

describe("an operator and its twin that ignores case", () => {
  interface Comparison {
    readonly attribute: string
    readonly operator: string
    readonly value: unknown
  }
  const is = (operator: string, value: unknown, attribute = "a"): Comparison => ({
    attribute,
    operator,
    value,
  })
  const gives = (condition: object, returnValue: unknown = true) => ({ ...condition, returnValue })
  const [ab, abc] = [is("in", ["a", "b"]), is("in", ["a", "b", "c"])]
  const edits: readonly (readonly [name: string, before: readonly object[], after: readonly object[]])[] = [
    ["an item more", [gives(ab)], [gives(abc)]],
    ["an item less of those excluded", [gives(is("notIn", ["a", "b"]))], [gives(is("notIn", ["a"]))]],
    ["a different order", [gives({ ...ab, id: "r" })], [gives({ ...is("in", ["b", "a"]), id: "r" })]],
    ["a country more", [gives(is("in", ["DE", "FR"], "country"))], [gives(is("in", ["DE"], "country"))]],
    ["a different text", [gives(is("equals", "a"))], [gives(is("equals", "b"))]],
    ["a list for a text", [gives(is("equals", "a"))], [gives(abc)]],
    ["a list for an exclusion", [gives(is("notEquals", "a"))], [gives(abc)]],
    ["a rule for each text", [], [gives(is("equals", "a")), gives(is("equals", "b"))]],
    ["a rule less", [gives(is("equals", "a")), gives(is("equals", "b"))], [gives(is("equals", "b"))]],
    [
      "texts excluded one by one",
      [gives(is("equals", "a")), gives(is("equals", "b"))],
      [gives({ operator: "always" })],
    ],
    [
      "a text that an earlier rule takes",
      [gives(is("equals", "a"), false)],
      [gives(is("equals", "a"), false), gives(abc)],
    ],
    ["a shorter beginning", [gives(is("startsWith", "ab"))], [gives(is("startsWith", "a"))]],
    ["one text instead of an end", [gives(is("endsWith", "a"))], [gives(is("equals", "ba"))]],
    ["an end that becomes a part", [gives(is("endsWith", "a"))], [gives(is("contains", "a"))]],
    ["no part any more", [gives(is("notContains", "a"))], [gives(is("notEquals", "a"))]],
    ["a text in a group", [gives(ab)], [gives({ all: [abc, is("equals", "pro", "plan")] })]],
    ["a group that is excluded", [gives(abc)], [gives({ all: [abc, { none: [is("equals", "a")] }] })]],
    [
      "alternatives",
      [gives({ any: [is("equals", "a"), is("equals", "b")] })],
      [gives({ any: [ab, is("startsWith", "x")] })],
    ],
    ["everyone else", [gives({ none: [ab] })], [gives({ none: [abc] })]],
  ]
  test.each(edits)("read alike: %s", (_, before, after) => {
    expect(linesOf(before.map(inAnyCase), after.map(inAnyCase)).map(withoutCase)).toEqual(
      linesOf(before, after),
    )
  })

  test.each(["in", "notIn"])("%s: lists are the same in any order", (operator) => {
    const rule = (operator: string, value: string) => ({
      id: "r",
      attribute: "a",
      operator,
      value,
      returnValue: 1,
    })
    for (const name of [operator, nameOnWire(operator, true)]) {
      expect(sameRule(rule(name, '["a","b"]'), rule(name, '["b","a"]'))).toBe(true)
      expect(sameRule(rule(name, '["a","b"]'), rule(name, '["b","c"]'))).toBe(false)
    }
  })
})

/** Each operator that is related to any: by versions, by moments, for a list, for presence, and its opposite. */
const related = `
  equals semverEquals - in - -
  notEquals semverNotEquals - notIn - equals
  notContains - - - - contains
  notMatches - - - - matches
  notIn - - - - in
  greaterThan semverGreaterThan after - - lessThanOrEquals
  greaterThanOrEquals semverGreaterThanOrEquals afterOrEquals - - lessThan
  lessThan semverLessThan before - - greaterThanOrEquals
  lessThanOrEquals semverLessThanOrEquals beforeOrEquals - - greaterThan
  semverNotEquals - - - - semverEquals
  semverGreaterThan - - - - semverLessThanOrEquals
  semverGreaterThanOrEquals - - - - semverLessThan
  semverLessThan - - - - semverGreaterThanOrEquals
  semverLessThanOrEquals - - - - semverGreaterThan
  before - - - - afterOrEquals
  beforeOrEquals - - - - after
  after - - - - beforeOrEquals
  afterOrEquals - - - - before
  exists - - - notExists -
  notExists - - - exists -
`

test("operators are related to those that ask the same otherwise, and to their opposites", () => {
  const lines = written.map((name) => {
    const twins = [inOrder(name, "version"), inOrder(name, "moment"), listTwin(name), presenceTwin(name)]
    return [name, ...twins, oppositeOf(name)].map((each) => each ?? "-").join(" ")
  })
  const isRelated = (line: string) => !line.endsWith(" - - - - -")
  expect(lines.filter(isRelated)).toEqual(related.trim().split(/\n */))
  expect(inOrder("greaterThan", "number")).toBe("greaterThan")
  expect(inOrder("equals", "number")).toBeUndefined()
})

/** What `diff` says about an edit: each change, and whose value it changes. */
function linesOf(before: readonly object[], after: readonly object[]): readonly string[] {
  const side = (rules: readonly object[]) =>
    sideOf({ f: { defaultValue: false, environments: { production: { enabled: true, rules } } } })
  return diffOf(side(before), side(after)).changes.flatMap((change) => [
    plainPhrase(describeChange(change)),
    ...change.effects.map(({ who }) => plainPhrase(who)),
  ])
}

/** The same rule with each comparison of texts in any case. */
function inAnyCase(rule: object): object {
  if (Array.isArray(rule)) return rule.map(inAnyCase)
  const parts = Object.entries(rule).map(([name, part]) => [
    name,
    typeof part === "object" && name !== "value" ? inAnyCase(part) : part,
  ])
  const own = Object.fromEntries(parts)
  return operators.get(own.operator)?.canIgnoreCase ? { ...own, ignoreCase: true } : own
}

function withoutCase(line: string): string {
  return line.replaceAll(" (ignoring case)", "").replaceAll("IgnoreCase", "")
}
