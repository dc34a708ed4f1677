import { isAlways } from "../../../sdk/evaluation/operators.ts"
import { presenceAsked } from "../../language/comparisons.ts"
import { operators } from "../../language/operators.ts"
import type { DefinedCondition, DefinedRule } from "../definition/definition.ts"
import type { Segments } from "../definition/segments.ts"

/**
 * Whether each rule compares a different attribute. Then every rule is reachable, and no costlier check is needed: a
 * context with only that rule's attribute matches no other, since only `notExists` and `always` match a missing attribute.
 * The last rule may be for everyone. The shares of a split follow one another, and none is empty.
 */
export function areIndependent(rules: readonly DefinedRule[], segments: Segments): boolean {
  const attributes = new Set<string>()
  return rules.every(({ condition, split }, at) => {
    if (split !== undefined && split.whom === undefined && split === rules[at - 1]?.split) return true
    const { operator, attribute } = comparisonOf(condition, segments)
    if (operator === undefined) return false
    if (isAlways(operator)) return at === rules.length - 1
    if (presenceAsked(operator) === false || !operators.has(operator) || attribute === undefined) return false
    const { size } = attributes
    return attributes.add(attribute).size > size
  })
}

function comparisonOf(condition: DefinedCondition, segments: Segments) {
  if (condition.kind === "comparison")
    return { operator: condition.operator?.text, attribute: condition.attribute?.text }
  const segment = condition.kind === "segment" ? segments.get(condition.name?.text ?? "") : undefined
  return { operator: segment?.condition.operator, attribute: segment?.condition.attribute }
}
