import type { Rule } from "../../proxy/contract/snapshot.ts"
import type { ResolvedFlag } from "../compile/resolve.ts"
import {
  type Comparison,
  conditionEffect,
  editEffect,
  everyEffect,
  moveEffect,
  otherwiseEffect,
} from "./affected.ts"
import type { Change, ConfigurationFact, Effect, Fact, FlagFact, ProjectFact } from "./change.ts"
import { neverMatches } from "./condition.ts"
import { type Decision, decisionOf, isOn, sameDecision, sameRule } from "./decision.ts"
import type { FlagPair } from "./pair-flags.ts"
import { type Phrase, phrase } from "./phrase.ts"
import { subjectOf, valueWords } from "./words.ts"

type Weighed = Pick<Change, "weight" | "affected" | "reason">

const none: Weighed = { weight: "none", affected: [] }
const definition: Weighed = { weight: "definition", affected: [] }

/** Weighs what differs between the project files. */
export function weighProject(fact: ProjectFact): Weighed {
  switch (fact.kind) {
    case "environment-removed":
      return behaviour([
        { environment: fact.environment, who: phrase`clients of ${fact.environment} get no flags any more` },
      ])
    case "environment-added":
      return { ...definition, reason: phrase`nobody reads a new environment yet` }
    case "environment-changed":
      return definition
    case "project-changed":
      return fact.member === "operators" || fact.member === "protected" ? none : definition
  }
}

/**
 * Weighs all that differs in one flag. `shared` are the environments that both sides have: nobody can get another
 * value in one that is new.
 */
export function weighFlag(
  pair: FlagPair,
  facts: readonly (FlagFact | ConfigurationFact)[],
  shared: readonly string[],
): readonly (Fact & Weighed)[] {
  const weighed = facts.map((fact) => ({
    ...fact,
    ...("environment" in fact ? weighConfiguration(pair, fact, shared) : weighDefinition(pair, fact, shared)),
  }))
  if (pair.kind !== "kept" || facts.length === 0) return weighed
  const unsaid = shared.filter(
    (environment) =>
      !sameDecision(...sidesOf(pair, environment)) &&
      !weighed.some(({ affected }) => affected.some((effect) => effect.environment === environment)),
  )
  return unsaid.reduce(sayAtLeast, weighed)
}

/** What differs together may matter though nothing of it does alone. */
function sayAtLeast(weighed: readonly (Fact & Weighed)[], environment: string): readonly (Fact & Weighed)[] {
  const said = weighed.find(
    (fact) =>
      ("environment" in fact && fact.environment === environment) ||
      (fact.kind === "definition-changed" && fact.member === "defaultValue"),
  )
  return weighed.map((fact) => {
    if (fact !== said) return fact
    const { reason: _, ...rest } = fact
    const effect = { environment, who: phrase`some contexts in ${environment} may get another value` }
    return { ...rest, ...behaviour([...fact.affected, effect]) } as Fact & Weighed
  })
}

function weighDefinition(pair: FlagPair, fact: FlagFact, shared: readonly string[]): Weighed {
  const inEach = (say: (environment: string) => readonly Phrase[]) =>
    behaviourIfAny(shared.flatMap((environment) => say(environment).map((who) => ({ environment, who }))))
  switch (fact.kind) {
    case "flag-added":
      return pair.kind === "added" ? inEach((environment) => newFlag(pair.after, environment)) : definition
    case "flag-removed":
      return inEach((environment) => {
        const on = pair.kind === "removed" && isOn(pair.before, environment) ? "; it was on" : ""
        return [phrase`everyone in ${environment} who asks for it gets no flag any more${[on]}`]
      })
    case "flag-renamed":
      return inEach((environment) => {
        const share = pair.kind === "renamed" && hasShare(pair.after, environment)
        const others = share ? "; percentages fall on other contexts, because they depend on the key" : ""
        return [phrase`everyone in ${environment} who asks for ${fact.from} gets no flag any more${[others]}`]
      })
    case "definition-changed":
      if (fact.member === "name" || fact.member === "description") return definition
      return inEach((environment) => {
        if (fact.member === "type")
          return [
            phrase`everyone in ${environment} gets a ${text(fact.after)} where a ${text(fact.before)} was`,
          ]
        return pair.kind === "kept" ? otherwiseEffect(comparisonOf(pair, environment)) : []
      })
    case "people-changed":
      return none
    case "ids-changed":
      return definition
  }
}

function newFlag(flag: ResolvedFlag, environment: string): readonly Phrase[] {
  if (!isOn(flag, environment)) return []
  const { rules, otherwise } = decisionOf(flag, environment)
  const [only, more] = rules
  const rest = phrase`everyone${[only === undefined ? "" : " else"]} in ${environment} gets ${valueWords(otherwise)}`
  if (only === undefined) return [rest]
  return more === undefined
    ? [phrase`${subjectOf(only)} get ${valueWords(only.returnValue)}`, rest]
    : [phrase`in ${environment} the first of ${rules.length} rules that matches decides`, rest]
}

function hasShare(flag: ResolvedFlag, environment: string): boolean {
  return decisionOf(flag, environment).rules.some(({ operator }) => operator === "percentage")
}

function weighConfiguration(pair: FlagPair, fact: ConfigurationFact, shared: readonly string[]): Weighed {
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
  { before, after }: Extract<FlagPair, { kind: "kept" | "renamed" }>,
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

function comparisonOf(
  pair: Extract<FlagPair, { kind: "kept" | "renamed" }>,
  environment: string,
): Comparison {
  const [before, after] = sidesOf(pair, environment)
  return { environment, before, after }
}

function sidesOf(
  { before, after }: Extract<FlagPair, { kind: "kept" | "renamed" }>,
  environment: string,
): readonly [Decision, Decision] {
  return [decisionOf(before, environment), decisionOf(after, environment)]
}

function behaviour(affected: readonly Effect[]): Weighed {
  return { weight: "behaviour", affected }
}

function behaviourIfAny(affected: readonly Effect[]): Weighed {
  return affected.length > 0 ? behaviour(affected) : definition
}

function text(value: unknown): string {
  return String(value)
}
