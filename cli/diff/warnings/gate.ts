import type { UserSplit } from "../../conditions/moves/group.ts"
import { phrase, plainPhrase } from "../../diagnostics/phrase.ts"
import { plural } from "../../diagnostics/plural.ts"
import { sameRule } from "../../flag/same-rule.ts"
import type { Effect } from "../effects/effect.ts"
import { dealtAnew } from "./dealt-anew.ts"
import { type Compared, type GateWarning, gateCodes } from "./gate-warning.ts"
import { genericChanges, genericLose } from "./generic-changes.ts"
import { lossOf, possibleLosses } from "./losses.ts"
import { locationOfRule, mayBePlain } from "./places.ts"
import { changesOfSplit } from "./split-changes.ts"
import { stepOf } from "./steps.ts"

/**
 * What a change does to users of a protected environment. Each edit has one warning, the gravest, at its place. None if the
 * type changes: then that is the warning.
 */
export function gateWarnings(compared: Compared): readonly GateWarning[] {
  const { pair, transition } = compared
  if (pair.before.type !== pair.after.type || transition.effects.length === 0) return []
  const ofGroups = changesOfUsers(compared)
  const found = [
    ...genericChanges(compared),
    ...ofGroups,
    ...possibleLosses(compared),
    ...orderChanges(compared),
    ...dealtAnew(compared),
  ]
  const isOneEdit = found[0]?.code === "everyone-changes" || editsIn(compared) <= 1
  const byEdit = isOneEdit ? [found] : Map.groupBy(found, ({ span }) => span.start).values()
  const ofOthers = found.filter(({ code }) => code === "users-lose").slice(0, 1)
  const beside = isOneEdit && found[0]?.code === "everyone-changes" && !genericLose(compared) ? ofOthers : []
  const gravestOf = [...byEdit].flatMap((warnings) => {
    const [gravest] = warnings.toSorted((a, b) => gateCodes.indexOf(a.code) - gateCodes.indexOf(b.code))
    if (gravest === undefined || !ofGroups.includes(gravest)) return gravest ?? []
    return withCount(
      gravest,
      warnings.filter((warning) => ofGroups.includes(warning) && warning.code === gravest.code),
    )
  })
  return [...gravestOf, ...beside]
}

/** The warning about one group of users, with the number of the others to whom the same happens. */
function withCount(warning: GateWarning, alike: readonly GateWarning[]): GateWarning {
  const { size } = new Set(alike.map(({ words }) => plainPhrase(words)))
  if (size < 2) return warning
  const others = plural(size - 1, "more group")
  return { ...warning, words: phrase`${warning.words} The same goes for ${[others]} of users.` }
}

/** How many rules of a file were edited; one rule that takes the place of another is one edit. */
function editsIn({ transition: { match } }: Compared): number {
  if (match === undefined) return 1
  const changed = match.pairs.filter(
    ({ edited, moved, references }) => edited.length > 0 || moved || references,
  )
  const removed = [...match.removed, ...changed].map(({ before }) => before.number)
  const added = [...match.added, ...changed].map(({ after }) => after.number)
  return Math.max(new Set(removed).size, new Set(added).size)
}

/** Warnings about the users whom sentences name. */
function changesOfUsers(compared: Compared): readonly GateWarning[] {
  const effects = compared.transition.effects.filter(({ users }) => users !== undefined)
  const bySplit = new Map<UserSplit | undefined, Effect[]>(Map.groupBy(effects, ({ group }) => group?.split))
  return [...bySplit].flatMap(([split, own]) =>
    split?.isKnown
      ? changesOfSplit(split, own, effects, compared)
      : own.flatMap((effect) => [...stepOf(effect, compared), ...lossOf(effect, effects, compared)]),
  )
}

/** Two rules that are on both sides have changed places, and users move from one to the other. */
function orderChanges({ pair, transition: { environment, moves, match } }: Compared): readonly GateWarning[] {
  const isKept = (side: "from" | "to", at: number) =>
    match?.pairs.some((pair) => pair[side] === at && sameRule(pair.before.sent, pair.after.sent)) === true
  const first = moves.find(
    (move) =>
      mayBePlain(move) &&
      move.before.rule &&
      move.after.rule &&
      isKept("from", move.before.at) &&
      isKept("to", move.after.at),
  )
  const location = first?.after.rule && locationOfRule(pair.after, environment, first.after.rule)
  const overtaken = first?.before.rule && locationOfRule(pair.after, environment, first.before.rule)
  if (location === undefined || overtaken === undefined) return []
  const words = [
    "this rule now comes before one that gives a different value: users who match both get a different value. Keep the order unless this is intended.",
  ]
  const related = [{ message: "The other rule is here.", location: overtaken }]
  return [{ code: "users-rebucketed", words, ...location, related }]
}
