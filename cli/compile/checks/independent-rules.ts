import type { DefinedRule } from "../definition/definition.ts"
import { operators } from "../definition/operators.ts"

/**
 * Whether each rule compares an attribute of its own. A context with just that attribute matches no other rule, since no
 * comparison but `notExists` and `always` matches what is missing: so each of them is reached, and nothing dearer has to
 * be asked. The last rule may be for everyone.
 */
export function areIndependent(rules: readonly DefinedRule[]): boolean {
  const attributes = new Set<string>()
  return rules.every(({ condition }, at) => {
    if (condition.kind !== "comparison" || condition.operator === undefined) return false
    const operator = condition.operator.text
    if (operator === "always") return at === rules.length - 1
    const attribute = condition.attribute?.text
    if (operator === "notExists" || !operators.has(operator) || attribute === undefined) return false
    const { size } = attributes
    return attributes.add(attribute).size > size
  })
}
