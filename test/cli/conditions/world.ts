import fc from "fast-check"
import { compileCondition } from "../../../sdk/evaluation/compile-condition.ts"
import { type Condition, parseCondition } from "../../../sdk/evaluation/condition.ts"
import type { Context } from "../../../sdk/evaluation/evaluation.ts"
import { loadExpressions } from "../../../sdk/evaluation/expression.ts"
import { matchCondition, type Truth } from "../../../sdk/evaluation/match-condition.ts"
import { scopeOfFlag } from "../../../sdk/evaluation/operators.ts"

// Small worlds: few conditions that interact, and all contexts that distinguish them. The SDK's evaluation is the judge.

export const scope = scopeOfFlag("flag", { compileExpression: await loadExpressions() })

/** Whether a context matches a condition, by the SDK. */
export function matcherOf(condition: Condition): (context: Context) => Truth {
  const compiled = compileCondition(parseCondition(condition), scope)
  return compiled === undefined ? () => false : (context) => matchCondition(compiled, context)
}

/** The position of the first rule that matches a context. */
export function firstMatch(rules: readonly ((context: Context) => Truth)[], context: Context): number {
  return rules.findIndex((matches) => matches(context) === true)
}

const texts = ["", "a", "ab", "b", "ba", "abba", "1", "1.0", "5", "7", "1.2", "1.2-a", "2026-01-01"]

/** What an attribute can be in a small world; `undefined`: missing. */
const scalars: readonly unknown[] = [
  undefined,
  ...texts,
  "c",
  "q7",
  "A",
  "aB",
  "AB",
  "Ba",
  "É",
  "aXb",
  "-3",
  "1e1",
  "v1.2",
  "1.2.3",
  "1.2-a.0",
  "0-0",
  "2",
  "2025-12-31T23:59:59.999Z",
  "2026-01-01T00:00:00Z",
  "2027-01-01",
  1,
  3,
  5,
  1.5,
  7,
  0,
  true,
  new Date("2026-06-01T00:00:00Z"),
  1_767_225_600_000,
  1_800_000_000_000,
]

export const values: readonly unknown[] = [
  ...scalars,
  {},
  [],
  [null],
  ["a"],
  ["b"],
  ["a", "b"],
  ["1", "5"],
  ["1.2"],
  ["1.2", "a"],
  ["2", "1.2"],
  [1, 7],
  ["2026-01-01", "a"],
]

/** Every context of one or two attributes with these values; `others` are those of the second one. */
export function worldOf(values: readonly unknown[], others = values): readonly Context[] {
  return values.flatMap((x) =>
    others.map((y) => ({ ...(x === undefined ? {} : { x }), ...(y === undefined ? {} : { y }) })),
  )
}

const attribute = fc.constantFrom("x", "x", "y")

function comparing(operators: readonly string[], operands: readonly string[]): fc.Arbitrary<Condition> {
  return fc.record({
    attribute,
    operator: fc.constantFrom(...operators),
    value: fc.constantFrom(...operands),
  })
}

const words = ["a", "ab", "b", "ba", "1", "5", ""]
const listing = (operators: readonly string[], items: readonly string[]) =>
  fc
    .record({
      attribute,
      operator: fc.constantFrom(...operators),
      items: fc.uniqueArray(fc.constantFrom(...items), { maxLength: 4 }),
    })
    .map(({ items, ...rest }) => ({ ...rest, value: JSON.stringify(items) }))
const list = listing(["in", "notIn"], words)
const anyCase = ["a", "A", "aB", "AB", "b", "Ba", "É", "5", ""]
const range = (seed: string, from: number, to: number) => JSON.stringify({ seed, from, to })

/** Grouped by what they compare: within one family all answers are exact. */
export const families: Readonly<Record<string, fc.Arbitrary<Condition>>> = {
  texts: fc.oneof(
    comparing(["equals", "notEquals"], words),
    comparing(["contains", "notContains", "startsWith", "endsWith"], words),
    list,
  ),
  folded: fc.oneof(
    comparing(
      [
        ...["equalsIgnoreCase", "notEqualsIgnoreCase", "containsIgnoreCase", "notContainsIgnoreCase"],
        ...["startsWithIgnoreCase", "endsWithIgnoreCase"],
      ],
      anyCase,
    ),
    listing(["inIgnoreCase", "notInIgnoreCase"], anyCase),
  ),
  numbers: fc.oneof(
    comparing(
      ["greaterThan", "greaterThanOrEquals", "lessThan", "lessThanOrEquals"],
      ["1", "5", "1.5", "-3"],
    ),
    comparing(["equals", "notEquals"], ["1", "5", "7"]),
    list,
  ),
  versions: fc.oneof(
    comparing(
      [
        "semverEquals",
        "semverNotEquals",
        "semverGreaterThan",
        "semverGreaterThanOrEquals",
        "semverLessThan",
        "semverLessThanOrEquals",
      ],
      ["1.2", "1.2.0", "1.2-a", "1.2-a.0", "1.*", "2", "0-0", "1.2.*"],
    ),
    comparing(["equals", "notEquals"], ["1.2", "1", "a"]),
  ),
  moments: fc.oneof(
    comparing(
      ["before", "beforeOrEquals", "after", "afterOrEquals"],
      ["2026-01-01", "2026-01-01T00:00:00.001Z", "2027-01-01", "0000-01-01"],
    ),
    comparing(["equals", "notEquals"], ["2026-01-01", "a"]),
  ),
  shares: fc.oneof(
    comparing(["percentage"], ["0", "10", "25", "50", "100"]),
    comparing(
      ["share"],
      [
        range("flag", 10, 50),
        range("flag", 50, 100),
        range("s", 0, 10),
        range("s", 10, 60),
        range("s", 5, 5),
      ],
    ),
    comparing(["equals", "notEquals", "contains", "startsWith"], words),
    list,
  ),
}
export const presence: fc.Arbitrary<Condition> = fc.oneof(
  comparing(["exists", "notExists"], [""]),
  fc.constant({ attribute: "", operator: "always", value: "" }),
)
export const expression = comparing(["matches", "notMatches"], ["^a", "b$", "^[ab]+$", "\\d"])
/** One of the project's own operators. */
export const own = fc
  .constantFrom("1", "2")
  .map((value): Condition => ({ attribute: "x", operator: "ours", value }))
/** Attributes that stand for the answers of the project's own operator, one for each of its operands. */
const ownAttributes = ["ours 1", "ours 2"]

/** The condition with the project's own operator decided: it matches if the context has an attribute for it. */
export function tell(condition: Condition): Condition {
  const { operator, value } = condition
  if (operator === "ours") return { attribute: `ours ${value}`, operator: "exists", value: "" }
  if (operator !== "all" && operator !== "any" && operator !== "none") return condition
  return { ...condition, value: JSON.stringify(JSON.parse(value).map(tell)) }
}

/** The context with every answer that the project's own operator may give. */
export function toldContexts(context: Context): readonly Context[] {
  return ownAttributes.reduce<readonly Context[]>(
    (contexts, name) => contexts.flatMap((one) => [one, { ...one, [name]: true }]),
    [context],
  )
}
/** With and without case at the same time. */
export const bothCases: fc.Arbitrary<Condition> = fc.oneof(
  families.folded as fc.Arbitrary<Condition>,
  comparing(["equals", "notEquals", "contains", "notContains", "startsWith", "endsWith"], anyCase),
  listing(["in", "notIn"], anyCase),
  comparing(["greaterThan", "lessThan"], ["1", "5"]),
)
export const unreadable = comparing(["greaterThan", "before", "semverEquals", "in", "percentage"], ["?"])

/** A condition, or composites of such conditions. */
export function composite(condition: fc.Arbitrary<Condition>): fc.Arbitrary<Condition> {
  const { any } = fc.letrec<{ any: Condition }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 2, depthSize: "small" },
      { weight: 4, arbitrary: condition },
      {
        weight: 1,
        arbitrary: fc
          .record({
            operator: fc.constantFrom("all", "any", "none"),
            parts: fc.array(tie("any"), { minLength: 1, maxLength: 3 }),
          })
          .map(({ operator, parts }) => ({ attribute: "", operator, value: JSON.stringify(parts) })),
      },
    ),
  }))
  return any
}
