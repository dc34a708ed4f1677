import { type Condition, type ParsedCondition, parseCondition } from "../../../sdk/evaluation/condition.ts"
import { attributeShare } from "../../conditions/share-range.ts"

/** The attributes by which the shares of a condition deal users. Each is named once. */
export function shareAttributes(condition: Condition): readonly string[] {
  return [...new Set(attributesIn(parseCondition(condition)))]
}

function attributesIn(parsed: ParsedCondition): readonly string[] {
  if (parsed.kind === "unreadable") return []
  if (parsed.kind !== "comparison") return parsed.parts.flatMap(attributesIn)
  const share = attributeShare(parsed.condition)
  return share === undefined ? [] : [share.attribute]
}
