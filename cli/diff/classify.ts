import type { ResolvedFlag } from "../compile/meaning/resolve.ts"
import type {
  Classification,
  ConfigurationDifference,
  Difference,
  FlagDifference,
  ProjectDifference,
} from "./change.ts"
import { classified, classifyConfiguration } from "./classify-configuration.ts"
import type { ComparedFlag } from "./comparison.ts"
import { effectiveRulesOf, isOn } from "./effective-rules.ts"
import { otherwiseEffect } from "./effects.ts"
import { type Phrase, phrase } from "./phrase.ts"
import { subjectOf, valueWords } from "./words.ts"

const inNoSnapshot: Classification = { impact: "none", effects: [] }

/** Says what a difference between the project files does. */
export function classifyProject(difference: ProjectDifference): Classification {
  const { kind } = difference
  if (kind === "environment-removed") {
    const { environment } = difference
    return classified([{ environment, who: phrase`clients of ${environment} no longer get any flags` }])
  }
  if (kind === "environment-added") return classified([], phrase`nobody reads a new environment yet`)
  if (kind === "environment-changed") return classified([])
  return difference.member === "operators" || difference.member === "protected"
    ? inNoSnapshot
    : classified([])
}

/** Says what the differences in one flag do. */
export function classifyFlag(
  compared: ComparedFlag,
  differences: readonly (FlagDifference | ConfigurationDifference)[],
): readonly (Difference & Classification)[] {
  const changes = differences.map((difference) => ({
    ...difference,
    ...("environment" in difference
      ? classifyConfiguration(compared, difference)
      : classifyDefinition(compared, difference)),
  }))
  if (compared.pair.kind !== "kept" || changes.length === 0) return changes
  const unexplained = [...compared.comparisons.values()]
    .filter(({ isSame }) => !isSame)
    .map(({ environment }) => environment)
    .filter((name) => !changes.some(({ effects }) => effects.some(({ environment }) => environment === name)))
  return unexplained.reduce(addVagueEffect, changes)
}

/** Differences may have an effect together although none has one alone. The first that can be blamed gets it. */
function addVagueEffect(
  changes: readonly (Difference & Classification)[],
  environment: string,
): readonly (Difference & Classification)[] {
  const blamed = changes.find(
    (change) =>
      ("environment" in change && change.environment === environment) ||
      (change.kind === "definition-changed" && change.member === "defaultValue"),
  )
  const effect = { environment, who: phrase`some contexts in ${environment} may get another value` }
  return changes.map((change) => {
    if (change !== blamed) return change
    const { reason: _, ...rest } = change
    return { ...rest, ...classified([...change.effects, effect]) } as Difference & Classification
  })
}

function classifyDefinition(
  { pair, shared, comparisons }: ComparedFlag,
  difference: FlagDifference,
): Classification {
  const inEach = (say: (environment: string) => readonly Phrase[]) =>
    classified(shared.flatMap((environment) => say(environment).map((who) => ({ environment, who }))))
  switch (difference.kind) {
    case "flag-added":
      return pair.kind === "added"
        ? inEach((environment) => newFlag(pair.after, environment))
        : classified([])
    case "flag-removed":
      return inEach((environment) => {
        const on = pair.kind === "removed" && isOn(pair.before, environment) ? "; it was on" : ""
        return [phrase`clients in ${environment} that ask for it no longer get it${[on]}`]
      })
    case "flag-renamed":
      return inEach((environment) => {
        const share = comparisons
          .get(environment)
          ?.after.rules.some(({ operator }) => operator === "percentage")
        const others = share ? "; percentages select other contexts, because they depend on the key" : ""
        return [phrase`clients in ${environment} that ask for ${difference.from} no longer get it${[others]}`]
      })
    case "definition-changed":
      if (difference.member === "name" || difference.member === "description") return classified([])
      return inEach((environment) => {
        if (difference.member === "type")
          return [
            phrase`everyone in ${environment} gets a ${String(difference.after)} instead of a ${String(difference.before)}`,
          ]
        const comparison = comparisons.get(environment)
        return comparison === undefined ? [] : otherwiseEffect(comparison)
      })
    case "people-changed":
      return inNoSnapshot
    case "ids-changed":
      return classified([])
  }
}

function newFlag(flag: ResolvedFlag, environment: string): readonly Phrase[] {
  if (!isOn(flag, environment)) return []
  const { rules, otherwise } = effectiveRulesOf(flag, environment)
  const [only, more] = rules
  const rest = phrase`everyone${[only === undefined ? "" : " else"]} in ${environment} gets ${valueWords(otherwise)}`
  if (only === undefined) return [rest]
  return more === undefined
    ? [phrase`${subjectOf(only)} get ${valueWords(only.returnValue)}`, rest]
    : [phrase`in ${environment} the first matching rule of ${rules.length} decides`, rest]
}
