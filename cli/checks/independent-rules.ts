import { isAlways } from "../../sdk/evaluation/operators.ts"
import { presenceAsked } from "../language/comparisons.ts"
import { attributeOf, type Condition, operatorIn } from "../language/condition.ts"
import type { Rule } from "../language/flag.ts"
import { operators } from "../language/operators.ts"
import { standsFor } from "../language/references.ts"

/**
 * Whether each rule compares a different attribute. Then every rule is reachable, and no costlier check is needed: a
 * context with only that rule's attribute matches no other, since only `notExists` and `always` match a missing attribute.
 * The last rule may be for everyone. The shares of a split follow one another, and none is empty.
 */
export function areIndependent(rules: readonly Rule[]): boolean {
  const attributes = new Set<string>()
  return rules.every(({ condition, item }, at) => {
    if (item.condition === undefined && item === rules[at - 1]?.item) return true
    const comparison = comparisonOf(condition)
    if (comparison === undefined) return false
    const [operator, attribute] = [operatorIn(comparison), attributeOf(comparison)]
    if (isAlways(operator)) return at === rules.length - 1
    if (presenceAsked(operator) === false || !operators.has(operator) || attribute === "") return false
    const { size } = attributes
    return attributes.add(attribute).size > size
  })
}

function comparisonOf(condition: Condition | undefined) {
  const comparison = condition && standsFor(condition)
  return comparison?.kind === "comparison" || comparison?.kind === "share" ? comparison : undefined
}
