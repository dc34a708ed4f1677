import { type Condition, type ParsedCondition, parseCondition } from "../../../sdk/evaluation/condition.ts"

/** The attributes that a condition asks for, in whatever depth. */
export function conditionNames(condition: Condition): readonly string[] {
  return namesIn(parseCondition(condition))
}

function namesIn(parsed: ParsedCondition): readonly string[] {
  if (parsed.kind === "all" || parsed.kind === "any" || parsed.kind === "none")
    return parsed.parts.flatMap(namesIn)
  return parsed.condition.attribute === "" ? [] : [parsed.condition.attribute]
}
