import type { Rule } from "../../proxy/contract/snapshot.ts"
import type { Classification, ConfigurationDifference, Effect } from "./change.ts"
import type { ComparedFlag, Comparison } from "./comparison.ts"
import { neverMatches } from "./condition.ts"
import { type EffectiveRules, sameRule } from "./effective-rules.ts"
import { conditionEffect, editEffect, everyEffect, moveEffect } from "./effects.ts"
import type { FlagOnBothSides } from "./pair-flags.ts"
import { type Phrase, phrase } from "./phrase.ts"
import { valueWords } from "./words.ts"

/** Classifies a change of a snapshot by its effects. `reason` says why it has none. */
export function classified(effects: readonly Effect[], reason?: Phrase): Classification {
  if (effects.length > 0) return { impact: "behaviour", effects }
  return { impact: "definition", effects, ...(reason === undefined ? {} : { reason }) }
}

/** Says what a difference in one environment does. */
export function classifyConfiguration(
  { pair, comparisons }: ComparedFlag,
  difference: ConfigurationDifference,
): Classification {
  if (pair.kind !== "kept") return classified([])
  const { environment } = difference
  const comparison = comparisons.get(environment)
  if (comparison === undefined) return classified([], phrase`nobody reads a new environment yet`)
  const sentences = comparison.isSame ? [] : effectOf(comparison, difference)
  return classified(
    sentences.map((who) => ({ environment, who })),
    whyNobody(pair, comparison, difference),
  )
}

function effectOf(comparison: Comparison, difference: ConfigurationDifference): readonly Phrase[] {
  switch (difference.kind) {
    case "configured":
    case "unconfigured":
    case "switched-on":
    case "switched-off":
      return everyEffect(comparison)
    case "rule-added":
      return conditionEffect(comparison, difference.after)
    case "rule-removed":
      return conditionEffect(comparison, difference.before)
    case "rule-edited":
      return difference.members.includes("id") ? [] : editEffect(comparison, difference)
    case "rule-moved":
      return moveEffect(comparison, difference)
  }
}

/** Why a difference has no effect; `undefined` where it could have none from the start. */
function whyNobody(
  pair: FlagOnBothSides,
  { environment, before, after, isSame }: Comparison,
  difference: ConfigurationDifference,
): Phrase | undefined {
  const isEnabled = [pair.before, pair.after].some(
    ({ configurations }) => configurations.get(environment)?.enabled === true,
  )
  if (!isEnabled) return phrase`the flag is disabled in ${environment}`
  switch (difference.kind) {
    case "configured":
    case "unconfigured":
    case "switched-on":
    case "switched-off":
      return isSame ? phrase`everyone in ${environment} gets the same value as before` : undefined
    case "rule-added":
      return whyIdle(after, difference.after)
    case "rule-removed":
      return whyIdle(before, difference.before)
    case "rule-edited":
      return difference.members.includes("id") ? undefined : whyIdle(after, difference.after)
    case "rule-moved":
      return phrase`the rules it changed places with return the same value or match other contexts`
  }
}

function whyIdle({ rules }: EffectiveRules, rule: Rule): Phrase {
  if (neverMatches(rule)) return phrase`${rule.value} % of contexts is nobody`
  return rules.some((another) => sameRule(another, rule))
    ? phrase`the contexts it matches get the same value as before`
    : phrase`another rule decides for all contexts it matches, or they get ${valueWords(rule.returnValue)} anyway`
}
