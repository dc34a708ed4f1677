import type { Json } from "../../../sdk/contract/snapshot.ts"
import { canonicalJson } from "../../compile/meaning/canonical-json.ts"
import { sameRule } from "../../compile/meaning/same-rule.ts"
import { conditionOf, type Term } from "../../conditions/clause.ts"
import { complement } from "../../conditions/context-set.ts"
import { attributeShare, type ShareSeed, sharesIn } from "../../conditions/share-range.ts"
import type { Location } from "../../diagnostics/diagnostic.ts"
import { type Phrase, phrase, valueWords } from "../../phrases/phrase.ts"
import { percent } from "../../phrases/share-words.ts"
import { movedShares, movedSum, sizesBy } from "../../phrases/user-split-words.ts"
import { userWords, verbFor } from "../../phrases/users.ts"
import { writtenRules } from "../differences/written-rules.ts"
import type { TransitionWithEffects } from "../effects/compared-flag.ts"
import type { Effect, Group, UserSplit } from "../effects/effect.ts"
import type { FlagOnBothSides } from "../sides/pair-flags.ts"
import { genericShares } from "../transitions/generic-users.ts"
import type { Move } from "../transitions/moves.ts"
import { decidedBy, type Outcome } from "../transitions/outcomes.ts"
import { locationOfChange, locationOfRule, type Warning } from "./places.ts"

/** What happens to users of a protected environment, the gravest first. */
export const gateCodes = ["everyone-changes", "many-change", "users-lose", "users-rebucketed"] as const

type GateCode = (typeof gateCodes)[number]

interface GateWarning extends Warning {
  readonly code: GateCode
}

/** A flag in one environment on both sides. */
interface Compared {
  readonly pair: FlagOnBothSides
  readonly transition: TransitionWithEffects
  /** In percent. */
  readonly manyChange: number
}

/**
 * What a change does to users of a protected environment. Each edit has one warning, the gravest, at its place. None if the
 * type changes: then that is the warning.
 */
export function gateWarnings(compared: Compared): readonly Warning[] {
  const { pair, transition } = compared
  if (pair.before.flag.type !== pair.after.flag.type || transition.effects.length === 0) return []
  const found = [
    ...genericChanges(compared),
    ...changesOfUsers(compared),
    ...possibleLosses(compared),
    ...orderChanges(compared),
  ]
  const isOneEdit = found[0]?.code === "everyone-changes" || editsIn(compared) <= 1
  const byEdit = isOneEdit ? [found] : Map.groupBy(found, ({ span }) => span.start).values()
  return [...byEdit].flatMap((warnings) =>
    warnings.toSorted((a, b) => gateCodes.indexOf(a.code) - gateCodes.indexOf(b.code)).slice(0, 1),
  )
}

/** How many rules of a file were edited; one rule that takes the place of another is one edit. */
function editsIn({ pair, transition: { environment, match } }: Compared): number {
  if (match === undefined) return 1
  const [before, after] = [pair.before, pair.after].map((side) => writtenRules(side, environment))
  const changed = match.pairs.filter(
    ({ edited, moved, references }) => edited.length > 0 || moved || references,
  )
  const removed = [...match.removed, ...changed].map(({ from }) => before?.[from]?.number)
  const added = [...match.added, ...changed].map(({ to }) => after?.[to]?.number)
  return Math.max(new Set(removed).size, new Set(added).size)
}

/** What generic users are warned of: everyone, or many of them, get a different value. */
function genericChanges({ pair, transition, manyChange }: Compared): readonly GateWarning[] {
  const { before, after } = transition
  const shares = genericShares(before, after, pair.after.flag.key)
  const moved = shares.filter((share) => share.before.value !== share.after.value)
  const sum = Math.round(moved.reduce((sum, { size }) => sum + size, 0) * 1e3) / 1e3
  const location = () => locationOfMoves(pair, transition, moved)
  if (moved.length > 0 && moved.length === shares.length && sum === 100)
    return [
      {
        code: "everyone-changes",
        words: phrase`${everyoneWords(transition, moved)} a different value at once. Is that what you want?`,
        ...location(),
      },
    ]
  if (sum === 0 || sum < manyChange) return []
  const splits = transition.effects.flatMap(({ group }) => group?.split ?? [])
  const isWhole = new Set(shares.map(({ after }) => after.value)).size === 1
  const advice = isWhole && moved.every((share) => share.before.rule) ? isIntended : adviceFor(moved, splits)
  return [{ code: "many-change", words: manyWords(["users"], sum, manyChange, advice), ...location() }]
}

const isIntended = "Check that this is intended."

function manyWords(users: Phrase, sum: number, manyChange: number, advice: string): Phrase {
  return phrase`${[percent(sum)]} % of ${users} get a different value at once (limit: ${manyChange} %). ${[advice]}`
}

/** What to do about many changes. Smaller steps are no advice if users are picked in a different way. */
function adviceFor(moves: readonly AnyMove[], splits: readonly UserSplit[]): string {
  const split = splits.find(({ instead }) => instead !== undefined)
  if (split === undefined || moves.length === 0) return "Take smaller steps, or check that this is intended."
  return isByOther(split)
    ? "Users are picked by a different attribute: keep the attribute, or start a new flag."
    : "Users are picked by a different seed: keep the seed, or check that this is intended."
}

/** Whether the attribute changed that users are picked by, and not only the seed. */
function isByOther({ by, instead }: UserSplit): boolean {
  return instead?.attribute !== by.at(-1)?.attribute
}

/** Everyone, if no one keeps a value, else those who do not, if a sentence says who they are. */
function everyoneWords(
  { before, after, mayMeet, effects }: TransitionWithEffects,
  moved: readonly AnyMove[],
): Phrase {
  const someKeep = before.some((from) =>
    after.some(
      (to) => to.value === from.value && mayMeet("any", decidedBy(from, before), decidedBy(to, after)),
    ),
  )
  if (!someKeep) return ["everyone gets"]
  const [effect, ...others] = effects.filter(({ group }) =>
    group?.moves.some((move) => moved.some((one) => one.before === move.before && one.after === move.after)),
  )
  const { users = [], group } = effect ?? {}
  const isKnown = others.length === 0 && group?.doubt === undefined && group?.split === undefined
  return isKnown && users.length > 0
    ? phrase`${users} ${[verbFor(users, "get", "gets")]}`
    : ["everyone whom no rule names gets"]
}

type AnyMove = Pick<Move, "before" | "after">

/** What the sentences about users say that a reviewer should see. */
function changesOfUsers(compared: Compared): readonly GateWarning[] {
  const effects = compared.transition.effects.filter(({ users }) => users !== undefined)
  const bySplit = new Map<UserSplit | undefined, Effect[]>(Map.groupBy(effects, ({ group }) => group?.split))
  return [...bySplit].flatMap(([split, own]) =>
    split?.isKnown
      ? changesOfSplit(split, own, compared)
      : own.flatMap((effect) => [...stepOf(effect, compared), ...lossOf(effect, compared)]),
  )
}

/** What a percentage or a split does to its users. */
function changesOfSplit(
  split: UserSplit,
  effects: readonly Effect[],
  compared: Compared,
): readonly GateWarning[] {
  const { pair, transition, manyChange } = compared
  const [{ users = [] } = {}] = effects
  const moves = effects.flatMap(({ group }) => group?.moves ?? [])
  const location = locationOfMoves(pair, transition, moves)
  const sum = movedSum(split.shares)
  const many: readonly GateWarning[] =
    split.rest.length > 0 && sum >= manyChange && isStep(split, compared)
      ? [
          {
            code: "many-change",
            words: manyWords(users, sum, manyChange, adviceFor(moves, [split])),
            ...location,
          },
        ]
      : []
  const lost = effects.filter(({ group }) => group && isLoss(group, compared) && isSmaller(split, group))
  if (lost.length === 0 || split.instead !== undefined)
    return [...many, ...rebucketing(split, effects, compared)]
  const isLost = (move: { readonly before: string; readonly after: string }) =>
    lost.some(({ group }) => group?.before?.value === move.before && group.after.value === move.after)
  const size = movedShares(split.shares)
    .filter(isLost)
    .reduce((sum, move) => sum + move.size, 0)
  const losers = size === 0 || size === 100 ? users : phrase`${[percent(size)]} % of ${users}`
  return [...many, { code: "users-lose", words: lossWords(losers, lost), ...location }]
}

/** Whether fewer users have the value that a group lost: those of a split, or those who lack its attribute. */
function isSmaller({ shares, others }: UserSplit, { before }: Group): boolean {
  const [had = 0, has = 0] = (["before", "after"] as const).map((side) =>
    sizesBy(shares, side).get(before?.value ?? ""),
  )
  return has < had || (others.before === before?.value && others.after !== others.before)
}

/**
 * Whether shares picked these users before, too, even none of them, or leave some of those who all had a value. A rule for some
 * users that is new or gone is no step.
 */
function isStep(
  { shares, by, restBefore, restAfter }: UserSplit,
  { pair, transition: { before, scope } }: Compared,
): boolean {
  const [had, has] = (["before", "after"] as const).map((side) => new Set(shares.map((share) => share[side])))
  const [all] = had ?? []
  if (had === undefined || has === undefined) return false
  if (had.size > 1) return has.size > 1 || !has.has(defaultsIn(pair)[1])
  const last = by.at(-1)
  const isOfSeed = ({ attribute, seed }: ShareSeed) => attribute === last?.attribute && seed === last.seed
  const isJump =
    has.size === 1 && before.some(({ rule }) => rule && sharesIn(rule, scope.seed).some(isOfSeed))
  return isJump || (all !== restAfter && all === restBefore && has.has(all))
}

/** That users of a split get another of its values, though its shares are no smaller. */
function rebucketing(
  split: UserSplit,
  effects: readonly Effect[],
  compared: Compared,
): readonly GateWarning[] {
  const { pair, transition } = compared
  const [{ users = [] } = {}] = effects
  const all = phrase`${movedSum(split.shares)} % of ${users}`
  const moves = effects.flatMap(({ group }) => group?.moves ?? [])
  if (split.instead !== undefined) {
    if (followsFlag(transition, moves)) return []
    const [what, advice] = isByOther(split)
      ? ["attribute", "Keep the attribute, or start a new flag."]
      : ["seed", "Keep the seed, or check that this is intended."]
    const words = phrase`users are picked by a different ${[what]}: ${all} get a different value. ${[advice]}`
    return [{ code: "users-rebucketed", words, ...locationOfMoves(pair, transition, moves, "attribute") }]
  }
  const [had, has] = [sizesBy(split.shares, "before"), sizesBy(split.shares, "after")]
  const between = movedShares(split.shares).filter(
    ({ before, after }) =>
      split.armsBefore.has(before) && (split.armsBefore.has(after) || has.has(before) || had.has(after)),
  )
  if (between.length === 0) return []
  const advice = has.size === 1 ? isIntended : "Grow only the last share, or check that this is intended."
  const words = phrase`${all} get a different value of the split. ${[advice]}`
  return [{ code: "users-rebucketed", words, ...locationOfMoves(pair, transition, moves) }]
}

/** Whether a rule only follows another flag, which has the warning. */
function followsFlag({ match }: TransitionWithEffects, moves: readonly Move[]): boolean {
  const pair = match?.pairs.find((pair) => moves.some(({ after }) => after.rule === pair.after))
  return pair?.references?.every(({ kind }) => kind === "flag") === true
}

/** That a share of the users of a condition is added or removed, and many of these users are outside it. */
function stepOf({ group }: Effect, { pair, transition, manyChange }: Compared): readonly GateWarning[] {
  const { terms = [], moves = [], doubt } = group ?? {}
  const [term = [], ...others] = terms
  const rest = term.filter(({ condition }) => attributeShare(condition) === undefined)
  const size = sizeOfShares(term)
  const who = conditionOf([rest])
  if (doubt !== undefined || others.length > 0 || rest.length === 0 || rest.length === term.length) return []
  if (size < manyChange || who === undefined || !isOtherShare(transition, moves)) return []
  const users = phrase`users${userWords(who, transition.namesFor(moves)).whom}`
  const words = manyWords(users, size, manyChange, adviceFor(moves, []))
  return [{ code: "many-change", words, ...locationOfMoves(pair, transition, moves) }]
}

/** Whether the rule that users leave or reach had shares on one side alone. */
function isOtherShare({ match }: TransitionWithEffects, moves: readonly AnyMove[]): boolean {
  const pairs = match?.pairs.filter(
    (pair) => sharesIn(pair.before).length > 0 !== sharesIn(pair.after).length > 0,
  )
  return moves.some(({ before, after }) =>
    pairs?.some((pair) => pair.before === before.rule || pair.after === after.rule),
  )
}

/** How many percent of users are in the shares of a term. */
function sizeOfShares(term: Term): number {
  const shares = term.flatMap(({ condition, holds }) => {
    const share = attributeShare(condition)
    return share === undefined ? [] : [{ ...share, holds }]
  })
  const bySeed = Map.groupBy(shares, ({ attribute, seed }) => JSON.stringify([attribute, seed]))
  return [...bySeed.values()].reduce((size, own) => {
    const ends = [...new Set([0, ...own.flatMap(({ from, to }) => [from, to]), 100])].sort((a, b) => a - b)
    const met = ends.slice(1).map((to, at) => {
      const from = ends[at] ?? 0
      return own.every((share) => share.holds === (share.from <= from && to <= share.to)) ? to - from : 0
    })
    return (size * met.reduce((sum, part) => sum + part, 0)) / 100
  }, 100)
}

/** That users lose a value and get the default. */
function lossOf(effect: Effect, compared: Compared): readonly GateWarning[] {
  const { users, group } = effect
  if (users === undefined || group === undefined || !isLoss(group, compared)) return []
  const { pair, transition } = compared
  return [
    {
      code: "users-lose",
      words: lossWords(users, [effect]),
      ...locationOfMoves(pair, transition, group.moves),
    },
  ]
}

/** Where the search was given up: that a rule is gone or edited whose users may now get the default. */
function possibleLosses({ pair, transition }: Compared): readonly GateWarning[] {
  const { before, after, isCutShort, match, mayMeet } = transition
  const nameOf = ({ name, value }: Outcome) => `${value} ${name}`
  const names = new Set(after.map(nameOf))
  const isWithin = (outcome: Outcome) => {
    const rule = match?.pairs.find((one) => one.before === outcome.rule)?.after
    const successor = after.find((one) => one.rule === rule && one.value === outcome.value)
    return successor !== undefined && !mayMeet("plain", outcome.contexts, complement(successor.contexts))
  }
  const isGone = (outcome: Outcome) =>
    outcome.value !== defaultsIn(pair)[0] && !names.has(nameOf(outcome)) && !isWithin(outcome)
  if (!isCutShort || !before.some(isGone)) return []
  const words = [
    "users may lose what they had and get the default; the flag is too large to say which. Check that this is intended.",
  ]
  return [{ code: "users-lose", words, ...locationOfChange(pair, transition, []) }]
}

function lossWords(users: Phrase, effects: readonly Effect[]): Phrase {
  const lost = new Map(
    effects.flatMap(({ group }) =>
      group?.before ? [[group.before.value, group.before.returns] as const] : [],
    ),
  )
  const [value, ...others] = lost.values()
  const what = value === undefined || others.length > 0 ? ["what they had"] : valueWords(value)
  const isDoubtful = effects.some(({ group }) => group?.doubt !== undefined)
  const verb = isDoubtful ? "may lose" : verbFor(users, "lose", "loses")
  return phrase`${users} ${[verb]} ${what} and get the default. Check that this is intended.`
}

function isLoss({ before, after }: Group, { pair }: Compared): boolean {
  const [defaultBefore, defaultAfter] = defaultsIn(pair)
  return before !== undefined && before.value !== defaultBefore && after.value === defaultAfter
}

function defaultsIn({ before, after }: FlagOnBothSides): readonly string[] {
  return [before, after].map(({ flag }) => canonicalJson(flag.defaultValue as Json))
}

/** Two rules that are on both sides have changed places, and users move from one to the other. */
function orderChanges({ pair, transition: { environment, moves, match } }: Compared): readonly GateWarning[] {
  const isKept = (side: "from" | "to", at: number) =>
    match?.pairs.some((pair) => pair[side] === at && sameRule(pair.before, pair.after)) === true
  const first = moves.find(
    ({ before, after, isOnlyLists }) =>
      !isOnlyLists && before.rule && after.rule && isKept("from", before.at) && isKept("to", after.at),
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

/** The place of a rule with shares after the change, or else of what replaced one. */
function locationOfMoves(
  pair: FlagOnBothSides,
  transition: TransitionWithEffects,
  moves: readonly AnyMove[],
  part?: "attribute",
): Location {
  const rule = moves.find(({ after }) => after.rule !== undefined && sharesIn(after.rule).length > 0)?.after
    .rule
  return (
    (rule && locationOfRule(pair.after, transition.environment, rule, part)) ??
    locationOfChange(pair, transition, moves)
  )
}
