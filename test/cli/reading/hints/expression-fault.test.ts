import { expect, test } from "vitest"
import { expressionFault } from "../../../../cli/reading/hints/expression-fault.ts"
import { placeOf } from "../../../../cli/reading/hints/expression-place.ts"
import { growth, linear } from "../../../growth.ts"
import { oddBeginnings } from "../../../sdk/evaluation/odd-beginnings.ts"

// The messages for each construct are in test/golden/bad-operand.

test.each([
  ["\\d[a-\\d]", "\\d", 5],
  ["[(?=]\\(?=(?=a)", "(?=", 9],
  ["\\Q(?!\\E(?!a)", "(?!", 7],
  ["(a)[)]\\)b)", ")", 9],
  ["(a(b)[(]\\(", "(", 0],
  ["\\Q\\p{Emoji}\\E\\p{Emoji}", "\\p{Emoji}", 13],
  ["^[a\\p{Letter}]", "\\p{Letter}", 3],
  ["a\\pl+", "\\pl", 1],
])("%s: %s is what RE2 gives up at", (expression, construct, start) => {
  expect(expressionFault(expression)?.part).toEqual({ start, end: start + construct.length })
})

test("a place that takes too long to find is left out", () => {
  const found = expressionFault(`${"[(?=]".repeat(50)}(?=a)`)
  expect(found?.part).toEqual({ start: 250, end: 253 })
  const long = expressionFault(`${"[(?=]".repeat(500)}(?=a)`)
  expect(long).toEqual({
    message: "; RE2 says: invalid or unsupported Perl syntax in `(?=`",
    part: undefined,
    isTooLarge: false,
  })
})

test("an expression that is too long is not read", () => {
  const longest = `[${"a".repeat(3998)}]`
  expect(expressionFault(longest)).toBeUndefined()
  expect(expressionFault(`${longest}😀`)).toEqual({
    message:
      " of at most 4000 characters, but this one has 4001. Compare whole strings using `in` with a list, or write several rules",
    part: undefined,
    isTooLarge: true,
  })
})

test.each(oddBeginnings)(
  "the time to find an unclosed group after %s again and again is linear",
  (beginning) => {
    const error = { description: "missing closing )", fragment: undefined }
    const textOf = (length: number) => beginning.repeat(length).slice(0, length)
    expect(growth((source) => placeOf(source, error), textOf, 1_000)).toBeLessThanOrEqual(linear)
  },
)
