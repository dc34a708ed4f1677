import { isExpression } from "./operators.ts"

/** What a context must fulfil. */
export interface Condition {
  readonly attribute: string
  readonly operator: string
  readonly value: string
}

/** What a group requires of its conditions: that all hold, at least one, or none. On the wire, they are operators. */
export const groupKinds = ["all", "any", "none"] as const

export type GroupKind = (typeof groupKinds)[number]

/** Whether a condition's operator makes it a group. */
export function isGroupKind(operator: string): operator is GroupKind {
  return groupKinds.some((kind) => kind === operator)
}

/** Whether a condition is a group of one kind. */
export function isGroup({ operator }: Pick<Condition, "operator">, kind: GroupKind): boolean {
  return operator === kind
}

/** A condition whose groups have been read. */
export type ParsedCondition =
  | { readonly kind: "comparison"; readonly condition: Condition }
  | {
      readonly kind: GroupKind
      readonly condition: Condition
      readonly parts: readonly ParsedCondition[]
    }
  /** A group that exceeds the limits, or whose operand, or a nested group's, is not a list of conditions. */
  | { readonly kind: "unreadable"; readonly condition: Condition }

/** How deep groups may be nested, counting the rule itself. */
export const deepestGroup = 8

/** How many conditions a rule may have, including groups. */
export const mostConditions = 1_000

/** Reads a rule's groups, however deep. */
export function parseCondition(condition: Condition): ParsedCondition {
  return parse(condition, 1, { conditions: 0 })
}

function parse(condition: Condition, depth: number, count: { conditions: number }): ParsedCondition {
  const kind = condition.operator
  if (!isGroupKind(kind)) return { kind: "comparison", condition }
  const operands = depth > deepestGroup ? undefined : parseOperand(condition.value)
  if (operands === undefined) return { kind: "unreadable", condition }
  count.conditions += operands.length
  if (count.conditions > mostConditions) return { kind: "unreadable", condition }
  const parts: ParsedCondition[] = []
  for (const operand of operands) {
    const part = parse(operand, depth + 1, count)
    if (part.kind === "unreadable") return { kind: "unreadable", condition }
    parts.push(part)
  }
  return { kind, condition, parts }
}

function parseOperand(value: string): readonly Condition[] | undefined {
  try {
    const list: unknown = JSON.parse(value)
    return Array.isArray(list) && list.length > 0 && list.every(isCondition) ? list : undefined
  } catch {
    return undefined
  }
}

function isCondition(value: unknown): value is Condition {
  if (typeof value !== "object" || value === null) return false
  const { attribute, operator, value: operand } = value as Readonly<Record<string, unknown>>
  return typeof attribute === "string" && typeof operator === "string" && typeof operand === "string"
}

/** The comparisons in a condition, at any depth. */
export function comparisonsIn(parsed: ParsedCondition): readonly Condition[] {
  switch (parsed.kind) {
    case "comparison":
      return [parsed.condition]
    case "unreadable":
      return []
    default:
      return parsed.parts.flatMap(comparisonsIn)
  }
}

/** Whether a condition uses a regular expression, at any depth. */
export function hasExpression(parsed: ParsedCondition): boolean {
  return comparisonsIn(parsed).some(({ operator }) => isExpression(operator))
}
