import { type Condition, type GroupKind, isGroupKind } from "../../../sdk/evaluation/condition.ts"
import { longestGroups } from "../../language/encode.ts"
import type { Segments } from "../definition/segments.ts"
import { addUses, type OpenCondition, type OpenGroup } from "./open-condition.ts"

/**
 * Returns a condition in its wire format (docs/evaluation.md, 11.1): a group is an operator without an attribute, whose
 * value is a JSON array of its conditions; a segment is its condition. A segment that is unknown or has mistakes becomes a
 * condition that no SDK can read, as does what exceeds `longestGroups` for the groups and segments of a file together.
 */
export type ToWire = (condition: OpenCondition) => Condition

/** Returns the conversion of one file's conditions to their wire format. */
export function createToWire(segments: Segments): ToWire {
  let left = longestGroups
  return (condition) => {
    if ("operator" in condition) return condition
    if ("conditions" in condition && !areAllReadable(condition, segments)) return unreadable(condition.kind)
    const whole = conditionOf(condition, left, segments)
    if (isReadableOnWire(whole)) left -= whole.value.length
    else if (areAllReadable(condition, segments)) left = 0 // it was too long
    return whole
  }
}

/** Whether a condition uses only segments that exist and have no mistakes. */
function areAllReadable(condition: OpenCondition, segments: Segments): boolean {
  const names = new Set<string>()
  addUses(condition, names)
  return [...names].every((name) => {
    const segment = segments.get(name)?.condition
    return segment !== undefined && isReadableOnWire(segment)
  })
}

/** Whether a condition in its wire format is readable: it was not too long, and all its segments existed. */
export function isReadableOnWire({ operator, value }: Condition): boolean {
  return value !== "" || !isGroupKind(operator)
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
    if (length > longest || !("operator" in condition || isReadableOnWire(part))) return unreadable(kind)
    parts.push(part)
  }
  const value = JSON.stringify(parts)
  return value.length > longest ? unreadable(kind) : { attribute: "", operator: kind, value }
}

function unreadable(operator: GroupKind): Condition {
  return { attribute: "", operator, value: "" }
}
