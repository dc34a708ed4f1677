import type { ResolvedFlag } from "../compile/meaning/resolve.ts"
import { otherwiseEffect } from "./affected.ts"
import type { ConfigurationFact, Fact, FlagFact, ProjectFact } from "./change.ts"
import { decisionOf, isOn, sameDecision } from "./decision.ts"
import type { FlagPair } from "./pair-flags.ts"
import { type Phrase, phrase } from "./phrase.ts"
import { comparisonOf, weighConfiguration } from "./weigh-configuration.ts"
import { behaviour, behaviourIfAny, definition, none, type Weighed } from "./weighed.ts"
import { subjectOf, valueWords } from "./words.ts"

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
  const unsaid = shared.filter((environment) => {
    const { before, after } = comparisonOf(pair, environment)
    const isSaid = weighed.some(({ affected }) => affected.some((one) => one.environment === environment))
    return !sameDecision(before, after) && !isSaid
  })
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

function text(value: unknown): string {
  return String(value)
}
