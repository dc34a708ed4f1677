import { expect, test } from "vitest"
import { expressionSize, longestExpression } from "../../../sdk/evaluation/expression-size.ts"
import { foreignProperty } from "../../../sdk/evaluation/foreign-property.ts"
import { growth, linear } from "../../growth.ts"
import { oddBeginnings } from "./odd-beginnings.ts"

const readers = { expressionSize, foreignProperty }

test.each(
  Object.entries(readers).flatMap(([name, read]) =>
    oddBeginnings.map((beginning) => [name, beginning, read] as const),
  ),
)("%s takes linear time for an expression of %s again and again", (_, beginning, read) => {
  const textOf = (length: number) => beginning.repeat(length).slice(0, length)
  expect(growth(read, textOf, longestExpression / 4)).toBeLessThanOrEqual(linear)
})
