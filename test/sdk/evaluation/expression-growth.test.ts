import { expect, test } from "vitest"
import { expressionSize, longestExpression } from "../../../sdk/evaluation/expression-size.ts"
import { growth, linear } from "../../growth.ts"
import { oddBeginnings } from "./odd-beginnings.ts"

test.each(oddBeginnings)("the time to measure an expression of %s again and again is linear", (beginning) => {
  const textOf = (length: number) => beginning.repeat(length).slice(0, length)
  expect(growth(expressionSize, textOf, longestExpression / 4)).toBeLessThanOrEqual(linear)
})
