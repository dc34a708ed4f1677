import { type Condition, type ParsedCondition, parseCondition } from "../../../sdk/evaluation/condition.ts"
import type { KnownAttribute } from "../../compile/grammar/known-attributes.ts"

/** The attributes that conditions ask for, in whatever depth, sorted. */
export function attributesIn(conditions: readonly Condition[]): readonly KnownAttribute[] {
  return [...new Set(conditions.flatMap((condition) => namesIn(parseCondition(condition))))]
    .sort()
    .map((name) => ({ name, type: undefined, description: "", values: undefined }))
}

function namesIn(parsed: ParsedCondition): readonly string[] {
  if (parsed.kind === "all" || parsed.kind === "any" || parsed.kind === "none")
    return parsed.parts.flatMap(namesIn)
  return parsed.condition.attribute === "" ? [] : [parsed.condition.attribute]
}
