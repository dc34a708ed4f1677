import fc from "fast-check"
import { RE2JS } from "re2js"
import { describe, expect, test } from "vitest"
import { createEvaluator } from "../../../sdk/evaluation/evaluator.ts"
import {
  boundedExpressions,
  expressionSize,
  largestExpression,
  largestOfFlag,
} from "../../../sdk/evaluation/expression-size.ts"
import { flagOf, rule } from "../../proxy/ofrep/evaluated-flags.ts"

/** RE2's own count; `undefined` if it does not accept the expression. */
function programSize(source: string): number | undefined {
  try {
    return RE2JS.compile(source).programSize()
  } catch {
    return undefined
  }
}

describe("the size of an expression", () => {
  test.each([
    ["a[ab]{300}[c]"],
    ["(?i)^(\\p{L}{1,250}|[^\\p{Lu}]{1,250} 1){1,4}$"],
    ["(?i)\\bchrome/(1[0-9]{2}|9[0-9])\\.[0-9.]+ mobile"],
    ["[]a{9}]{20}"],
    ["\\x{41}{20}|\\p{Greek}{20}"],
    ["\\Qa.b{3}\\E{20}"],
    ["(?P<name>a|bc)*?"],
    ["\\{20}\\(x"],
    ["ü😀{20}"],
  ])("of %s is what RE2 counts", (source) => {
    expect(expressionSize(source)).toBe(programSize(source))
  })

  test("is never much less than RE2's", () => {
    const atom = fc.constantFrom(
      "a",
      "é",
      ".",
      "\\d",
      "[a-c{2}]",
      "\\p{L}",
      "(?:ab|c)",
      "(d)",
      "\\Qx*\\E",
      "\\x{41}",
      "^",
      "\\b",
    )
    const repeat = fc.constantFrom("", "", "*", "+?", "?", "{3}", "{2,}", "{0,4}", "{7,9}?")
    const part = fc.tuple(atom, repeat).map(([one, times]) => one + times)
    const sequence = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(""))
    const group = fc.tuple(fc.array(sequence, { minLength: 1, maxLength: 3 }), repeat)
    const expression = fc.array(group, { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(expression, (groups) => {
        const source = groups.map(([branches, times]) => `(?i:${branches.join("|")})${times}`).join("")
        const own = programSize(source)
        // RE2 counts 3 for `^*`, which matches nothing again and again.
        if (own !== undefined) expect(expressionSize(source)).toBeGreaterThanOrEqual((own * 2) / 3 - 5)
      }),
    )
  })
})

const sized = (size: number, end: string) => `x{${size - 3}}${end}`

test("a flag's expressions are read in order while they are small enough, each counted once", () => {
  expect(expressionSize(sized(1000, "a"))).toBe(largestExpression)
  const five = ["a", "b", "c", "d", "e"].map((end) => sized(1000, end))
  expect([...boundedExpressions([...five, ...five, "f", "f"])]).toEqual(five)
  expect([...boundedExpressions([sized(1001, "a"), "b"])]).toEqual(["b"])
  expect(5 * largestExpression).toBe(largestOfFlag)
})

test("an expression that is too large is an operand that cannot be read", async () => {
  const rules = [
    rule("matches", "name", sized(1001, "a"), "one too large"),
    rule("notMatches", "name", sized(1001, "a"), "negations neither"),
    rule(
      "none",
      "",
      JSON.stringify([{ attribute: "name", operator: "matches", value: sized(1001, "a") }]),
      "groups neither",
    ),
    rule("matches", "name", `${"x".repeat(200)}$`, "small"),
    ...Array.from({ length: 5 }, (_, at) => rule("matches", "name", sized(1000, `[${at}]`), "never")),
    rule("notMatches", "name", "z", "too large together"),
  ]
  const evaluator = await createEvaluator({ flags: [flagOf("f", "string", "default", rules)] })
  expect(evaluator.evaluate("f", { name: "x".repeat(5000) })).toMatchObject({ value: "small" })
  expect(evaluator.evaluate("f", { name: "ann" })).toMatchObject({ value: "default" })
  const { rules: explained } = evaluator.explain("f", { name: "ann" })
  expect(explained.map(({ condition }) => condition.reason.kind === "unreadable")).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
    false,
    true,
    true,
    true,
  ])
})
