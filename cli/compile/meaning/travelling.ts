import type { Condition } from "../../../sdk/evaluation/condition.ts"
import type { DefinedCondition } from "../definition/definition.ts"
import { operandText } from "../definition/operand.ts"

/**
 * A condition as it travels (docs/evaluation.md, 11.1): a group is an operator without an attribute, and its conditions
 * are a JSON array in its value. The value is `""`, which no SDK can read, where it would be longer than
 * `longestGroup`.
 */
export function travelling(condition: DefinedCondition): Condition {
  if (condition.kind !== "comparison")
    return { attribute: "", operator: condition.kind, value: groupText(condition.conditions) }
  const { attribute, operator, value } = condition
  return { attribute: attribute?.text ?? "", operator: operator?.text ?? "", value: operandText(value) }
}

function groupText(conditions: readonly DefinedCondition[]): string {
  const parts: Condition[] = []
  let length = 0
  for (const condition of conditions) {
    const part = travelling(condition)
    length += part.value.length
    if (length > longestGroup || (part.value === "" && condition.kind !== "comparison")) return ""
    parts.push(part)
  }
  const text = JSON.stringify(parts)
  return text.length > longestGroup ? "" : text
}

/**
 * In characters. JSON in JSON doubles every quote and backslash at each level, so 8 levels could make gigabytes of a file
 * of a megabyte.
 */
export const longestGroup = 4_194_304
