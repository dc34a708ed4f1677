import type { Condition, ParsedCondition } from "../../../sdk/evaluation/condition.ts"
import { parseCondition } from "../../../sdk/evaluation/condition.ts"

/**
 * Whether what can be said of flags with these conditions is the same whatever their keys are.
 *
 * A percentage deals people by the flag's key. Who is in a share then differs, but not whether somebody is: whole
 * percentages leave no share below one in a hundred, as long as nothing else is asked of the attribute.
 */
export function isSameAcrossKeys(conditions: readonly Condition[]): boolean {
  const comparisons = conditions.flatMap((condition) => comparisonsIn(parseCondition(condition)))
  const shares = comparisons.filter(({ operator }) => operator === "percentage")
  const dealt = new Set(shares.map(({ attribute }) => attribute))
  return (
    shares.length === 0 ||
    (comparisons.length <= mostConditions &&
      shares.every(({ value }) => /^\d+$/.test(value)) &&
      comparisons.every(({ operator, attribute }) => operator === "percentage" || !dealt.has(attribute)))
  )
}

/** Beyond so many conditions a search may end before it finds somebody in a share, sooner for one key than for another. */
const mostConditions = 50

function comparisonsIn(parsed: ParsedCondition): readonly Condition[] {
  if (parsed.kind === "comparison" || parsed.kind === "unreadable") return [parsed.condition]
  return parsed.parts.flatMap(comparisonsIn)
}
