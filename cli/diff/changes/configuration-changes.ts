import { type Phrase, phrase } from "../../phrases/phrase.ts"
import type { ComparedFlag, Comparison } from "../comparison/comparison.ts"
import { decidedBy } from "../comparison/outcomes.ts"
import type { ConfigurationDifference } from "../differences/difference.ts"
import { effectsOf } from "../effects/effects.ts"
import type { FlagOnBothSides } from "../sides/pair-flags.ts"
import { type Classification, classified } from "./classification.ts"

/** Says what a difference in one environment does. */
export function classifyConfiguration(
  { pair, comparisons }: ComparedFlag,
  difference: ConfigurationDifference,
): Classification {
  if (pair.kind !== "kept") return classified([])
  const comparison = comparisons.get(difference.environment)
  if (comparison === undefined) return classified([], phrase`nobody reads a new environment yet`)
  const effects = effectsOf(comparison, difference)
  return classified(effects, effects.length > 0 ? undefined : whyNobody(pair, comparison, difference))
}

/** Why a difference has no effect; `undefined` where that is obvious. */
function whyNobody(
  pair: FlagOnBothSides,
  comparison: Comparison,
  difference: ConfigurationDifference,
): Phrase | undefined {
  const { environment } = difference
  const isEnabled = [pair.before, pair.after].some(
    ({ configurations }) => configurations.get(environment)?.enabled === true,
  )
  if (!isEnabled) return phrase`the flag is disabled in ${environment}`
  switch (difference.kind) {
    case "configured":
    case "unconfigured":
    case "switched-on":
    case "switched-off":
      return phrase`everyone in ${environment} gets the same value as before`
    case "rule-edited":
      return difference.members.includes("id") ? undefined : whyIdle(comparison, difference)
    default:
      return whyIdle(comparison, difference)
  }
}

function whyIdle(comparison: Comparison, difference: ConfigurationDifference): Phrase {
  const [outcomes, at] =
    "to" in difference
      ? [comparison.after, difference.to]
      : [comparison.before, "from" in difference ? difference.from : -1]
  const outcome = outcomes[at]
  if (outcome !== undefined && !comparison.search("any", outcome.contexts)) return phrase`it matches nobody`
  return outcome === undefined || comparison.search("any", decidedBy(outcome, outcomes))
    ? phrase`everyone whom it decides for gets the same value as before`
    : phrase`earlier rules match everyone whom it matches`
}
