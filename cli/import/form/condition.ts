import type { Json } from "../../../proxy/contract/snapshot.ts"
import type { GroupKind } from "../../../sdk/evaluation/condition.ts"
import type { OperatorName } from "../../../sdk/evaluation/operators.ts"
import { operatorOf, operatorThatAsks } from "../../language/operators.ts"
import type { Order as OrderKind } from "../../language/question.ts"
import { listTwin, presenceTwin } from "../../language/related-operators.ts"

/** A rule's condition, in the same form for every tool. */
export type Condition =
  | { readonly kind: "always" }
  | Comparison
  | { readonly kind: GroupKind; readonly conditions: readonly Condition[] }
  | { readonly kind: "segment"; readonly name: string }
  | SharePart
  /** The other flag returns this value in the same environment. */
  | { readonly kind: "flag"; readonly key: string; readonly is: Json }

/** A condition that is not a group. */
export type Part = Exclude<Condition, { readonly conditions: readonly Condition[] }>

export interface Comparison {
  readonly kind: "comparison"
  readonly attribute: string
  readonly operator: OperatorName
  /** Absent if the operator asks only whether the attribute is there. */
  readonly value?: string | readonly string[]
  readonly ignoreCase?: boolean
}

/** A share of an attribute's values, in percent. */
export interface SharePart {
  readonly kind: "share"
  readonly by: string
  readonly to: number
  /** `undefined`: the flag's own. */
  readonly seed: string | undefined
}

export const always: Condition = { kind: "always" }
export const never: Condition = { kind: "any", conditions: [] }

/** All conditions match. */
export function all(...conditions: readonly Condition[]): Condition {
  const parts = flat("all", conditions).filter(({ kind }) => kind !== "always")
  if (parts.some(isNever)) return never
  return parts.length === 0 ? always : (single(parts) ?? { kind: "all", conditions: parts })
}

/** At least one condition matches. */
export function any(...conditions: readonly Condition[]): Condition {
  const parts = flat("any", conditions).filter((part) => !isNever(part))
  if (parts.some(({ kind }) => kind === "always")) return always
  return single(parts) ?? { kind: "any", conditions: parts }
}

/** No condition matches. */
export function none(...conditions: readonly Condition[]): Condition {
  const parts = flat("any", conditions).filter((part) => !isNever(part))
  if (parts.some(({ kind }) => kind === "always")) return never
  const only = single(parts)
  if (only === undefined) return parts.length === 0 ? always : { kind: "none", conditions: parts }
  if (only.kind === "none") return any(...only.conditions)
  const operator = only.kind === "comparison" ? presenceTwin(only.operator) : undefined
  return operator && only.kind === "comparison" ? { ...only, operator } : { kind: "none", conditions: [only] }
}

/** The parts of a condition that are not groups. */
export function partsOf(condition: Condition): readonly Part[] {
  return "conditions" in condition ? condition.conditions.flatMap(partsOf) : [condition]
}

/** The condition with each part that is not a group replaced. */
export function replaceParts(condition: Condition, replace: (part: Part) => Condition): Condition {
  if (!("conditions" in condition)) return replace(condition)
  const group = { all, any, none }[condition.kind]
  return group(...condition.conditions.map((part) => replaceParts(part, replace)))
}

export function isNever(condition: Condition): boolean {
  return condition.kind === "any" && condition.conditions.length === 0
}

/** A comparison with a string; with several strings, at least one must match. */
export function compare(
  attribute: string,
  operator: OperatorName,
  values: readonly string[],
  ignoreCase = false,
): Condition {
  const unique = [...new Set(values)]
  const one = (operator: OperatorName, value: string | readonly string[]): Condition => ({
    kind: "comparison",
    attribute,
    operator,
    ...(ignoreCase && { ignoreCase }),
    value,
  })
  const isFolded = (value: string) => ignoreCase && casedBeyondAscii.test(value)
  const plain = unique.filter((value) => !isFolded(value))
  const list = plain.length > 1 ? listTwin(operator) : undefined
  return any(
    ...(list ? [one(list, plain)] : plain.map((value) => one(operator, value))),
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
    const others = capitals.get(letter)
    return others ? `[${letter}${others.join("")}]` : letter.replace(/[\\^$.|?*+()[\]{}]/, "\\$&")
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
  return any(...operands.map((one) => all(compare(attribute, least, [one]), compare(attribute, most, [one]))))
}

function boundBy(kind: OrderKind, order: Exclude<Order, "eq">): OperatorName {
  const [isUpper, isInclusive] = [order.startsWith("l"), order.endsWith("e")]
  return operatorThatAsks({ kind: "bound", order: kind, isUpper, isInclusive })
}

export function exists(attribute: string): Condition {
  const operator = operatorThatAsks({ kind: "presence", isPresent: true })
  return { kind: "comparison", attribute, operator }
}

function flat(kind: "all" | "any", conditions: readonly Condition[]): readonly Condition[] {
  return conditions.flatMap((one) => (one.kind === kind && !isNever(one) ? one.conditions : [one]))
}

function single([only, another]: readonly Condition[]): Condition | undefined {
  return another === undefined ? only : undefined
}
