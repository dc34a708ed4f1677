import { expect, test } from "vitest"
import { expressionFault } from "../../../../cli/compile/hints/expression-fault.ts"

// The messages for each construct are in test/golden/bad-operand.

test.each([
  ["a{2}[{2,1}](?:c{2,1})", "{2,1}", 15],
  ["\\d[a-\\d]", "\\d", 5],
  ["[(?=]\\(?=(?=a)", "(?=", 9],
  ["\\Q(?!\\E(?!a)", "(?!", 7],
  ["(?<a>a)(?<b>b)(?<a>c)", "(?<a>", 14],
  ["(a)[)]\\)b)", ")", 9],
  ["(a(b)[(]\\(", "(", 0],
])("%s: %s is what RE2 gives up at", (expression, construct, start) => {
  expect(expressionFault(expression)?.part).toEqual({ start, end: start + construct.length })
})

test("a place that takes too long to find is left out", () => {
  const found = expressionFault(`${"[{2,1}]".repeat(50)}c{2,1}`)
  expect(found?.part).toEqual({ start: 351, end: 356 })
  const long = expressionFault(`${"[{2,1}]".repeat(500)}c{2,1}`)
  expect(long).toEqual({
    message: "; RE2 says: invalid repeat count",
    part: undefined,
    isTooLarge: false,
  })
})
