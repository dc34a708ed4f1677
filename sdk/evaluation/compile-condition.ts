import type { Condition, GroupKind, ParsedCondition } from "./condition.ts"
import { bindOperator, isOperator, type OperatorScope } from "./operators.ts"

/** A condition whose operands have been read. */
export type CompiledCondition = CompiledComparison | CompiledGroup | UnknownCondition

interface CompiledComparison {
  readonly kind: "comparison"
  readonly attribute: string
  readonly matches: (value: unknown, operand: unknown) => boolean
  readonly operand: unknown
}

interface CompiledGroup {
  readonly kind: GroupKind
  readonly parts: readonly CompiledCondition[]
}

/** A condition with one of the project's own operators. */
interface UnknownCondition {
  readonly kind: "unknown"
  readonly operator: string
}

/** Compiles a condition; `undefined` if it, or any part of it, has an operand that its operator cannot read. */
export function compileCondition(
  parsed: ParsedCondition,
  scope: OperatorScope,
): CompiledCondition | undefined {
  switch (parsed.kind) {
    case "unreadable":
      return undefined
    case "comparison":
      return compileComparison(parsed.condition, scope)
    default: {
      const parts = parsed.parts.map((part) => compileCondition(part, scope))
      return parts.every((part) => part !== undefined) ? { kind: parsed.kind, parts } : undefined
    }
  }
}

function compileComparison(condition: Condition, scope: OperatorScope): CompiledCondition | undefined {
  const { attribute, operator, value } = condition
  if (!isOperator(operator)) return { kind: "unknown", operator }
  const bound = bindOperator(operator, value, scope)
  return bound && { kind: "comparison", attribute, matches: bound.matches, operand: bound.operand }
}
