import type { Condition } from "../../../sdk/evaluation/condition.ts"
import type { Segments } from "../definition/segments.ts"
import { groupKinds } from "../grammar/operators.ts"
import { addUses, type OpenCondition, type OpenGroup } from "./open-condition.ts"

/**
 * A condition as it travels (docs/evaluation.md, 11.1): a group is an operator without an attribute, and its conditions
 * are a JSON array in its value; a segment is its condition. What no SDK can read travels instead of a segment that is
 * unknown or has mistakes, and once the groups and segments of the file would be longer than `longestGroups` together.
 */
export type Travel = (condition: OpenCondition) => Condition

/**
 * In characters. JSON in JSON doubles every quote and backslash at each level, so 8 levels could make gigabytes of a file
 * of a megabyte, as could a segment that is used often.
 */
export const longestGroups = 4_194_304

/** Gives the conditions of one file as they travel. */
export function createTravel(segments: Segments): Travel {
  let left = longestGroups
  return (condition) => {
    if ("operator" in condition) return condition
    if ("conditions" in condition && !areAllReadable(condition, segments)) return unreadable(condition.kind)
    const whole = conditionOf(condition, left, segments)
    if (hasTravelled(whole)) left -= whole.value.length
    else if (areAllReadable(condition, segments)) left = 0 // it was too long
    return whole
  }
}

/** Whether a condition uses only segments that are there and have no mistakes. */
function areAllReadable(condition: OpenCondition, segments: Segments): boolean {
  const names = new Set<string>()
  addUses(condition, names)
  return [...names].every((name) => {
    const segment = segments.get(name)?.condition
    return segment !== undefined && hasTravelled(segment)
  })
}

/** Whether a condition that travels can be read: it was not too long, and all its segments were there. */
export function hasTravelled({ operator, value }: Condition): boolean {
  return value !== "" || !groupKinds.some((kind) => kind === operator)
}

function conditionOf(condition: OpenCondition, longest: number, segments: Segments): Condition {
  if ("operator" in condition) return condition
  if ("conditions" in condition) return groupOf(condition, longest, segments)
  const expanded = segments.get(condition.segment)?.condition
  return expanded === undefined || expanded.value.length > longest ? unreadable("any") : expanded
}

/** A group whose value has at most `longest` characters, or is `""`. */
function groupOf({ kind, conditions }: OpenGroup, longest: number, segments: Segments): Condition {
  const parts: Condition[] = []
  let length = 0
  for (const condition of conditions) {
    const part = conditionOf(condition, longest, segments)
    length += part.value.length
    if (length > longest || !("operator" in condition || hasTravelled(part))) return unreadable(kind)
    parts.push(part)
  }
  const value = JSON.stringify(parts)
  return value.length > longest ? unreadable(kind) : { attribute: "", operator: kind, value }
}

function unreadable(operator: string): Condition {
  return { attribute: "", operator, value: "" }
}
