import type { OperatorName } from "../../../sdk/evaluation/operators.ts"
import { all, any, type Comparison, type Condition } from "../../language/condition.ts"
import { operatorOf, operatorThatAsks } from "../../language/operators.ts"
import type { Order as OrderKind } from "../../language/question.ts"
import { listTwin } from "../../language/related-operators.ts"

/** A comparison with a string; with several strings, at least one must match. */
export function compare(
  attribute: string,
  operator: OperatorName,
  values: readonly string[],
  ignoreCase = false,
): Condition {
  const unique = [...new Set(values)]
  const comparison = (operator: OperatorName, operand: Comparison["operand"]): Condition => ({
    kind: "comparison",
    attribute,
    operator,
    operand,
    ...(ignoreCase && { ignoreCase }),
  })
  const isFolded = (value: string) => ignoreCase && casedBeyondAscii.test(value)
  const plain = unique.filter((value) => !isFolded(value))
  const list = plain.length > 1 ? listTwin(operator) : undefined
  return any(
    ...(list ? [comparison(list, plain)] : plain.map((value) => comparison(operator, value))),
    ...unique.filter(isFolded).map((value) => matches(attribute, folding(operator, value))),
  )
}

/** The attribute is one of the strings. */
export function isOneOf(attribute: string, values: readonly string[]): Condition {
  return compare(attribute, operatorThatAsks({ kind: "texts", isList: false }), values)
}

/** The attribute matches a regular expression. */
export function matches(attribute: string, expression: string): Condition {
  return compare(attribute, operatorThatAsks({ kind: "expression" }), [expression])
}

/** The attribute is a different version. */
export function isOtherVersion(attribute: string, version: string): Condition {
  return compare(attribute, operatorThatAsks({ kind: "version", isOther: true }), [version])
}

/** Letters whose case `ignoreCase` does not ignore. */
const casedBeyondAscii = /(?!\p{ASCII})\p{Changes_When_Casemapped}/u

/** Letters whose lower case depends on their place in the word, or on the tool. */
export const oddlyCased = /[σİ]|i\u0307/iu

/** Each lower-case letter's capitals. `toUpperCase` returns at most one, and none for `ß`. */
const capitals = Map.groupBy(
  Array.from({ length: 0x1ffff }, (_, code) => String.fromCodePoint(code)).filter(
    (letter) => letter !== letter.toLowerCase(),
  ),
  (letter) => letter.toLowerCase(),
)

/** A regular expression that compares strings in lower case as the operator does. `(?i)` equates more letters. */
function folding(operator: OperatorName, value: string): string {
  const question = operatorOf(operator)?.question
  const where = question?.kind === "part" ? question.where : undefined
  const isWhole = question?.kind === "texts"
  const letters = Array.from(value.toLowerCase(), (letter) => {
    const upper = capitals.get(letter)
    return upper ? `[${letter}${upper.join("")}]` : letter.replace(/[\\^$.|?*+()[\]{}]/, "\\$&")
  })
  return `${isWhole || where === "start" ? "^" : ""}${letters.join("")}${isWhole || where === "end" ? "$" : ""}`
}

/** How one value compares with another. */
export type Order = "eq" | "lt" | "lte" | "gt" | "gte"

/** Compares an attribute with operands, at least one of which must match: numbers, versions or moments in RFC 3339. */
export function compareOrder(
  attribute: string,
  kind: OrderKind,
  order: Order,
  operands: readonly string[],
): Condition {
  if (order !== "eq") return compare(attribute, boundBy(kind, order), operands)
  if (kind === "version")
    return compare(attribute, operatorThatAsks({ kind: "version", isOther: false }), operands)
  const [least, most] = [boundBy(kind, "gte"), boundBy(kind, "lte")]
  return any(
    ...operands.map((operand) =>
      all(compare(attribute, least, [operand]), compare(attribute, most, [operand])),
    ),
  )
}

function boundBy(kind: OrderKind, order: Exclude<Order, "eq">): OperatorName {
  const [isUpper, isInclusive] = [order.startsWith("l"), order.endsWith("e")]
  return operatorThatAsks({ kind: "bound", order: kind, isUpper, isInclusive })
}
