import type { CompileExpression } from "../../../sdk/evaluation/expression.ts"
import { type Phrase, phrase } from "../../phrases/phrase.ts"
import type { FlagDifference } from "../differences/difference.ts"
import { configurationDifferences, flagDifferences, ownerOf } from "../differences/differences.ts"
import { effectsOf, newFlagEffects } from "../effects/effects.ts"
import { isOn } from "../transitions/outcomes.ts"
import { shareAttributes } from "../transitions/share-attributes.ts"
import type { ComparedFlag } from "../transitions/transition.ts"
import type { Change } from "./change.ts"
import { type Classification, classified, inNoSnapshot } from "./classification.ts"
import { classifyConfiguration } from "./configuration-changes.ts"

/** What changes in a flag, in these environments of the side after the change. */
export function flagChanges(
  compared: ComparedFlag,
  environments: readonly string[],
  compileExpression: CompileExpression,
): readonly Change[] {
  const { pair, transitions } = compared
  const differences = [
    ...flagDifferences(pair),
    ...(pair.kind === "kept"
      ? environments.flatMap((name) => configurationDifferences(pair, name, transitions.get(name)?.match))
      : []),
  ]
  const flag = pair.kind === "removed" ? pair.before : pair.after
  const [file, owner] = [flag.definition.source.path, ownerOf(flag)]
  const changes = differences.map(
    (difference): Change => ({
      ...difference,
      ...("environment" in difference
        ? classifyConfiguration(compared, difference)
        : classifyDefinition(compared, difference, compileExpression)),
      file,
      owner,
    }),
  )
  return [...transitions.values()]
    .filter(({ isCutShort }) => isCutShort)
    .map(({ environment }) => environment)
    .reduce(addVagueEffect, changes)
}

/** Where the search was given up, the first difference that may concern more people says so. */
function addVagueEffect(changes: readonly Change[], environment: string): readonly Change[] {
  const blamed = changes.find(
    (change) =>
      ("environment" in change && change.environment === environment) ||
      (change.kind === "definition-changed" && change.member === "defaultValue"),
  )
  const who = phrase`some people in ${environment} may get another value`
  return changes.map((change) => {
    if (change !== blamed) return change
    const { reason: _, ...rest } = change
    return { ...rest, ...classified([...change.effects, { environment, who, moves: [] }]) } as Change
  })
}

function classifyDefinition(
  { pair, shared, transitions }: ComparedFlag,
  difference: FlagDifference,
  compileExpression: CompileExpression,
): Classification {
  const inEach = (say: (environment: string) => Phrase) =>
    classified(
      shared.map((environment) => ({
        environment,
        who: say(environment),
        moves: transitions.get(environment)?.moves ?? [],
      })),
    )
  switch (difference.kind) {
    case "flag-added":
      return classified(
        pair.kind === "added"
          ? shared.flatMap((environment) => newFlagEffects(pair.after, environment, compileExpression))
          : [],
      )
    case "flag-removed":
      return inEach((environment) => {
        const wasOn = pair.kind === "removed" && isOn(pair.before, environment, compileExpression)
        return phrase`clients in ${environment} that ask for it no longer get it${[wasOn ? "; it was on" : ""]}`
      })
    case "flag-renamed":
      return inEach((environment) => {
        const rules = difference.after.configurations[environment]?.rules ?? []
        const others = rules.some((rule) => shareAttributes(rule).length > 0)
          ? "; percentages select other people, because they depend on the key"
          : ""
        return phrase`clients in ${environment} that ask for ${difference.from} no longer get it${[others]}`
      })
    case "definition-changed":
      if (difference.member === "name" || difference.member === "description") return classified([])
      if (difference.member === "defaultValue")
        return classified(
          [...transitions.values()].flatMap((transition) => effectsOf(transition, difference)),
        )
      return inEach(
        (environment) =>
          phrase`everyone in ${environment} gets a ${String(difference.after)} instead of a ${String(difference.before)}`,
      )
    case "people-changed":
      return inNoSnapshot
    case "ids-changed":
      return classified([])
  }
}
