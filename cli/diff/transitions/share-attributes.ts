import { type Condition, type ParsedCondition, parseCondition } from "../../../sdk/evaluation/condition.ts"

/** The attributes by which the percentages of a condition deal people. Each is named once. */
export function shareAttributes(condition: Condition): readonly string[] {
  return [...new Set(attributesIn(parseCondition(condition)))]
}

function attributesIn(parsed: ParsedCondition): readonly string[] {
  if (parsed.kind === "unreadable") return []
  if (parsed.kind !== "comparison") return parsed.parts.flatMap(attributesIn)
  return parsed.condition.operator === "percentage" ? [parsed.condition.attribute] : []
}
