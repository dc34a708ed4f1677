import type { Move } from "../../conditions/moves/moves.ts"
import { decidedBy } from "../../conditions/moves/outcome.ts"
import { type Phrase, phrase } from "../../diagnostics/phrase.ts"
import type { ConfigurationDifference } from "../differences/difference.ts"
import type { ComparedFlag, TransitionWithEffects } from "../effects/compared-flag.ts"
import type { FlagOnBothSides } from "../sides/pair-flags.ts"
import type { Transition } from "../transitions/transition.ts"
import { type Classification, classified, inNewEnvironment } from "./classification.ts"

/** Returns what a difference in one environment does. */
export function classifyConfiguration(
  { pair, transitions }: ComparedFlag,
  difference: ConfigurationDifference,
  isFirst: (environment: string) => boolean,
): Classification {
  if (pair.kind !== "kept") return classified([])
  const transition = transitions.get(difference.environment)
  if (transition === undefined) return inNewEnvironment
  const { effects, moves, isCutShort } = transition
  if (!isCutShort && !moves.some((move) => takesPart(difference, move)))
    return classified([], whyNoOne(pair, transition, difference))
  return { impact: "behaviour", effects: isFirst(difference.environment) ? effects : [] }
}

/** Returns what a new default changes where it decides on both sides. */
export function classifyDefault(
  transitions: readonly TransitionWithEffects[],
  isFirst: (environment: string) => boolean,
): Classification {
  const reached = transitions.filter(
    ({ moves, isCutShort }) =>
      isCutShort || moves.some(({ before, after }) => before.rule === undefined || after.rule === undefined),
  )
  if (reached.length === 0) return classified([])
  const effects = reached.flatMap((one) => (isFirst(one.environment) ? one.effects : []))
  return { impact: "behaviour", effects }
}

/** Whether users leave or reach an outcome that differs; true for differences that concern everyone. */
function takesPart(difference: ConfigurationDifference, { before, after }: Move): boolean {
  switch (difference.kind) {
    case "rule-added":
    case "rule-removed":
    case "rule-edited":
    case "rule-moved":
      return (
        ("to" in difference && after.rule !== undefined && after.at === difference.to) ||
        ("from" in difference && before.rule !== undefined && before.at === difference.from)
      )
    default:
      return true
  }
}

/** Why a difference has no effect; `undefined` if that is obvious. */
function whyNoOne(
  pair: FlagOnBothSides,
  transition: Transition,
  difference: ConfigurationDifference,
): Phrase | undefined {
  const { environment } = difference
  const isEnabled = [pair.before, pair.after].some(
    ({ configurations }) => configurations.get(environment)?.enabled === true,
  )
  if (!isEnabled) return phrase`the flag is disabled in ${environment}`
  const isId = difference.kind === "rule-edited" && difference.members.includes("id")
  return isId ? undefined : whyIdle(transition, difference)
}

function whyIdle(transition: Transition, difference: ConfigurationDifference): Phrase {
  const [outcomes, at] =
    "to" in difference
      ? [transition.after, difference.to]
      : [transition.before, "from" in difference ? difference.from : -1]
  const outcome = outcomes[at]
  const { mayMeet } = transition
  if (outcome !== undefined && !mayMeet("any", outcome.contexts)) return phrase`it matches no one`
  return outcome === undefined || mayMeet("any", decidedBy(outcome, outcomes))
    ? phrase`no one's value changes`
    : phrase`earlier rules already match the same users`
}
