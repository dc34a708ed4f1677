import { type Phrase, phrase } from "../../phrases/phrase.ts"
import type { ConfigurationDifference } from "../differences/difference.ts"
import { effectsOf } from "../effects/effects.ts"
import type { FlagOnBothSides } from "../sides/pair-flags.ts"
import { decidedBy } from "../transitions/outcomes.ts"
import type { ComparedFlag, Transition } from "../transitions/transition.ts"
import { type Classification, classified } from "./classification.ts"

/** Says what a difference in one environment does. */
export function classifyConfiguration(
  { pair, transitions }: ComparedFlag,
  difference: ConfigurationDifference,
): Classification {
  if (pair.kind !== "kept") return classified([])
  const transition = transitions.get(difference.environment)
  if (transition === undefined) return classified([], phrase`nobody reads a new environment yet`)
  const effects = effectsOf(transition, difference)
  return classified(effects, effects.length > 0 ? undefined : whyNobody(pair, transition, difference))
}

/** Why a difference has no effect; `undefined` where that is obvious. */
function whyNobody(
  pair: FlagOnBothSides,
  transition: Transition,
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
      return difference.members.includes("id") ? undefined : whyIdle(transition, difference)
    default:
      return whyIdle(transition, difference)
  }
}

function whyIdle(transition: Transition, difference: ConfigurationDifference): Phrase {
  const [outcomes, at] =
    "to" in difference
      ? [transition.after, difference.to]
      : [transition.before, "from" in difference ? difference.from : -1]
  const outcome = outcomes[at]
  if (outcome !== undefined && !transition.mayMeet("any", outcome.contexts)) return phrase`it matches nobody`
  return outcome === undefined || transition.mayMeet("any", decidedBy(outcome, outcomes))
    ? phrase`everyone whom it decides for gets the same value as before`
    : phrase`earlier rules match everyone whom it matches`
}
