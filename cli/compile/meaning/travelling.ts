import type { Condition } from "../../../sdk/evaluation/condition.ts"
import type { DefinedCondition, DefinedGroup } from "../definition/definition.ts"
import { operandText } from "../definition/operand.ts"

/**
 * A condition as it travels (docs/evaluation.md, 11.1): a group is an operator without an attribute, and its conditions
 * are a JSON array in its value. The value is `""`, which no SDK can read, once the groups of the file would be longer
 * than `longestGroups` together.
 */
export type Travel = (condition: DefinedCondition) => Condition

/**
 * In characters. JSON in JSON doubles every quote and backslash at each level, so 8 levels could make gigabytes of a file
 * of a megabyte.
 */
export const longestGroups = 4_194_304

/** Gives the conditions of one file as they travel. */
export function createTravel(): Travel {
  let left = longestGroups
  return (condition) => {
    if (condition.kind === "comparison") return comparisonOf(condition)
    const group = groupOf(condition, left)
    left = group.value === "" ? 0 : left - group.value.length
    return group
  }
}

/** Whether a condition is not a group that was too long. */
export function hasTravelled(condition: DefinedCondition, { value }: Condition): boolean {
  return condition.kind === "comparison" || value !== ""
}

function comparisonOf({ attribute, operator, value }: Extract<DefinedCondition, { kind: "comparison" }>) {
  return { attribute: attribute?.text ?? "", operator: operator?.text ?? "", value: operandText(value) }
}

/** A group whose value has at most `longest` characters, or is `""`. */
function groupOf({ kind, conditions }: DefinedGroup, longest: number): Condition {
  const unreadable = { attribute: "", operator: kind, value: "" }
  const parts: Condition[] = []
  let length = 0
  for (const condition of conditions) {
    const part = condition.kind === "comparison" ? comparisonOf(condition) : groupOf(condition, longest)
    length += part.value.length
    if (length > longest || !hasTravelled(condition, part)) return unreadable
    parts.push(part)
  }
  const value = JSON.stringify(parts)
  return value.length > longest ? unreadable : { ...unreadable, value }
}
