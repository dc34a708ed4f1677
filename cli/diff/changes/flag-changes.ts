import type { CompileExpression } from "../../../sdk/evaluation/expression.ts"
import { sharesIn } from "../../conditions/share-range.ts"
import { type Phrase, phrase } from "../../diagnostics/phrase.ts"
import { sentConfiguration } from "../../flag/sent-flag.ts"
import { percentOf } from "../../phrases/divided-users.ts"
import type { Difference, FlagDifference } from "../differences/difference.ts"
import { configurationDifferences, flagDifferences, ownerOf } from "../differences/differences.ts"
import type { ComparedFlag, TransitionWithEffects } from "../effects/compared-flag.ts"
import { genericUsers } from "../effects/generic-users.ts"
import type { FlagOnBothSides } from "../sides/pair-flags.ts"
import { genericShares, movedGeneric } from "../transitions/generic-users.ts"
import { isOn } from "../transitions/outcomes.ts"
import type { Change, Written } from "./change.ts"
import { type Classification, classified, inNewEnvironment, inNoSnapshot } from "./classification.ts"
import { classifyConfiguration, classifyDefault } from "./configuration-changes.ts"

/** What changes in a flag, in these environments of the side after the change. */
export function flagChanges(
  compared: ComparedFlag,
  environments: readonly string[],
  compileExpression: CompileExpression,
): readonly Change[] {
  const { pair, transitions, newNames = [] } = compared
  const differences = [
    ...flagDifferences(pair),
    ...(pair.kind === "kept"
      ? environments.flatMap((name) => configurationDifferences(pair, name, transitions.get(name)?.match))
      : []),
  ]
  const flag = pair.kind === "removed" ? pair.before : pair.after
  const [file, owner] = [flag.source.path, ownerOf(flag)]
  const isFirst = createFirsts(transitions)
  const renamed = newNames.flatMap((environment): readonly Change[] => {
    // A renamed flag is listed first with its old content under the new name, then with its changes.
    const after = pair.kind === "kept" ? pair.before.configurations.get(environment) : undefined
    if (after === undefined) return []
    const configured = {
      kind: "configured",
      flag: flag.key,
      environment,
      after: sentConfiguration(after),
    } as const
    return [{ ...configured, ...inNewEnvironment, file, owner }]
  })
  const changes = differences.map(
    (difference): Change => ({
      ...difference,
      ...("environment" in difference
        ? classifyConfiguration(compared, difference, isFirst)
        : classifyDefinition(compared, difference, compileExpression, isFirst)),
      file,
      owner,
      written: writtenOf(compared, difference),
    }),
  )
  return [...renamed, ...changes]
}

/** Finds both sides of a rule that differs, or the last rules of a configuration that is added or removed. */
function writtenOf({ pair, transitions }: ComparedFlag, difference: Difference): Written | undefined {
  if (pair.kind !== "kept" || !("environment" in difference)) return undefined
  const { environment } = difference
  const [before = [], after = []] = [pair.before, pair.after].map(
    (side) => side.configurations.get(environment)?.rules,
  )
  if (difference.kind === "configured" || difference.kind === "unconfigured")
    return { before: before.at(-1), after: after.at(-1) }
  const was = "from" in difference ? before[difference.from] : undefined
  const is = "to" in difference ? after[difference.to] : undefined
  const split = was === undefined || is === undefined ? (was ?? is)?.item.split : undefined
  const others =
    split &&
    transitions
      .get(environment)
      ?.match?.pairs.find((one) => one.before.item.split === split || one.after.item.split === split)
  return { before: was ?? others?.before, after: is ?? others?.after }
}

/** Computed once for each environment, because its effects are listed with the first change that contributes to them. */
function createFirsts(transitions: ComparedFlag["transitions"]): (environment: string) => boolean {
  const open = new Set(transitions.keys())
  return (environment) => open.delete(environment)
}

function classifyDefinition(
  { pair, shared, transitions }: ComparedFlag,
  difference: FlagDifference,
  compileExpression: CompileExpression,
  isFirst: (environment: string) => boolean,
): Classification {
  const inEach = (say: (environment: string) => Phrase) =>
    classified(
      shared.map((environment) => ({
        environment,
        who: say(environment),
      })),
    )
  switch (difference.kind) {
    case "flag-added":
      return classified(
        pair.kind === "added" ? [...transitions.values()].flatMap(({ effects }) => effects) : [],
      )
    case "flag-removed":
      return inEach((environment) => {
        const wasOn = pair.kind === "removed" && isOn(pair.before, environment, compileExpression)
        return phrase`clients in ${environment} that ask for it no longer get it${[wasOn ? "; it was on" : ""]}`
      })
    case "flag-renamed":
      return inEach((environment) => {
        const transition = transitions.get(environment)
        const kept = pair.kind === "renamed" && transition ? keptWords(pair, transition) : []
        return phrase`clients that ask for ${difference.from} no longer get it; under its new key, ${kept}`
      })
    case "definition-changed":
      if (difference.member === "name" || difference.member === "description") return classified([])
      if (difference.member === "defaultValue") return classifyDefault([...transitions.values()], isFirst)
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

/** How many users of a renamed flag keep their values. */
function keptWords({ before }: FlagOnBothSides, transition: TransitionWithEffects): Phrase {
  if (transition.moves.length === 0 && !transition.isCutShort) return ["everyone keeps their value"]
  const { moved, sum } = movedGeneric(genericShares(transition.before, transition.after))
  const who = sum > 0 ? percentOf(sum, genericUsers(moved, transition)) : ["some users"]
  const rules = before.configurations.get(transition.environment)?.rules ?? []
  const isByKey = rules.some(({ condition }) => sharesIn(condition).some(({ seed }) => seed === undefined))
  const why = isByKey
    ? phrase`: add ${`seed: ${before.key}`} to keep who is picked`
    : phrase`, because the seed is different`
  return phrase`${who} get a different value${why}`
}
