// @module-tag property
import * as fc from "fast-check"
import { RE2JS } from "re2js"
import { expect, test } from "vitest"
import { isPlainExpression } from "../../../../cli/reading/grammar/plain-expression.ts"
import { anyText } from "../../../any-text.ts"
import { runs } from "../../../runs.ts"

const isKnown = (expression: string) => {
  try {
    RE2JS.compile(expression)
    return true
  } catch {
    return false
  }
}

const tokens = String.raw`a b é 😀 . , : @ / - _ 0 9 ^ $ | ( ) (?: (?i) (?= (?<n> [ ] [^ a-z 0-9 z-a * + ? *? {2} {2,} {2,1} { } \d \W \. \- \/ \b \1 \p \\ \Q \E \z \u [a-z] [^\s] [\w.-] [[:alpha:]] & ~ #`
const expression = fc
  .array(fc.constantFrom("", " ", "\n", ...tokens.split(" ")), { maxLength: 12 })
  .map((all) => all.join(""))

test("RE2 accepts every plain expression", () => {
  let plain = 0
  fc.assert(
    fc.property(fc.oneof(expression, anyText()), (text) => {
      if (!isPlainExpression(text)) return
      plain++
      expect(isKnown(text), text).toBe(true)
    }),
    { numRuns: runs(2_500) },
  )
  expect(plain).toBeGreaterThan(runs(1_000))
})

test.each([
  "",
  "beta",
  "^v?\\d+",
  "@(shop|example)\\.com$",
  "(?i)^[a-z0-9._-]+@shop\\.example$",
  "^(?:DE|FR)-\\w{2}$",
  "\\bqa\\b|staging",
])("%j is plain", (text) => expect([isPlainExpression(text), isKnown(text)]).toEqual([true, true]))

test.each(["(a", "a**", "a{2,1}", "[z-a]", "*", "(?!a)", "\\1", "[^]", "a|*", "(*)", "x".repeat(201)])(
  "%j is not",
  (text) => expect(isPlainExpression(text)).toBe(false),
)

test.each(["a".repeat(199), "(a|".repeat(60), "[a-z".repeat(49), "a*".repeat(99), "(a*)".repeat(49)])(
  "an expression that is not plain is rejected immediately, without backtracking: %s",
  (text) => expect(isPlainExpression(`${text}[`)).toBe(false),
)
