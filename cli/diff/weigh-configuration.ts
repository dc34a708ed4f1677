import type { Rule } from "../../proxy/contract/snapshot.ts"
import { type Comparison, conditionEffect, editEffect, everyEffect, moveEffect } from "./affected.ts"
import type { ConfigurationFact } from "./change.ts"
import { neverMatches } from "./condition.ts"
import { type Decision, decisionOf, sameDecision, sameRule } from "./decision.ts"
import type { FlagPair } from "./pair-flags.ts"
import { type Phrase, phrase } from "./phrase.ts"
import { behaviour, definition, type Weighed } from "./weighed.ts"
import { valueWords } from "./words.ts"

type PairOfTwo = Extract<FlagPair, { kind: "kept" | "renamed" }>

/** What a flag gives in an environment, on both sides. */
export function comparisonOf({ before, after }: PairOfTwo, environment: string): Comparison {
  return {
    environment,
    before: decisionOf(before, environment),
    after: decisionOf(after, environment),
  }
}

/** Weighs what differs in one environment; `shared` as in `weighFlag`. */
export function weighConfiguration(
  pair: FlagPair,
  fact: ConfigurationFact,
  shared: readonly string[],
): Weighed {
  if (pair.kind !== "kept") return definition
  if (!shared.includes(fact.environment))
    return { ...definition, reason: phrase`nobody reads a new environment yet` }
  const comparison = comparisonOf(pair, fact.environment)
  const who = sameDecision(comparison.before, comparison.after) ? [] : effectOf(comparison, fact)
  if (who.length > 0) return behaviour(who.map((one) => ({ environment: fact.environment, who: one })))
  const reason = whyNobody(pair, comparison, fact)
  return reason === undefined ? definition : { ...definition, reason }
}

function effectOf(comparison: Comparison, fact: ConfigurationFact): readonly Phrase[] {
  switch (fact.kind) {
    case "configured":
    case "unconfigured":
    case "switched-on":
    case "switched-off":
      return everyEffect(comparison)
    case "rule-added":
      return conditionEffect(comparison, fact.after)
    case "rule-removed":
      return conditionEffect(comparison, fact.before)
    case "rule-edited":
      return fact.members.includes("id") ? [] : editEffect(comparison, fact)
    case "rule-moved":
      return moveEffect(comparison, fact)
  }
}

/** `undefined` where a change could affect nobody from the start. */
function whyNobody(
  { before, after }: PairOfTwo,
  comparison: Comparison,
  fact: ConfigurationFact,
): Phrase | undefined {
  const { environment } = fact
  const enabled = [before, after].map((side) => side.configurations.get(environment)?.enabled === true)
  if (!enabled.includes(true)) return phrase`the flag is disabled in ${environment}`
  switch (fact.kind) {
    case "configured":
    case "unconfigured":
    case "switched-on":
    case "switched-off":
      return sameDecision(comparison.before, comparison.after)
        ? phrase`everyone in ${environment} gets what they got`
        : undefined
    case "rule-added":
      return whyIdle(comparison.after, fact.after)
    case "rule-removed":
      return whyIdle(comparison.before, fact.before)
    case "rule-edited":
      return fact.members.includes("id") ? undefined : whyIdle(comparison.after, fact.after)
    case "rule-moved":
      return phrase`the rules that it changed places with return the same or match others`
  }
}

function whyIdle({ rules }: Decision, rule: Rule): Phrase {
  if (neverMatches(rule)) return phrase`${rule.value} % of contexts is nobody`
  return rules.some((other) => sameRule(other, rule))
    ? phrase`whom it matches get what they got`
    : phrase`another rule decides for all that it matches, or they get ${valueWords(rule.returnValue)} anyway`
}
