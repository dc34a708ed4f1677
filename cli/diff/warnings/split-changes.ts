import { type ShareSeed, sharesIn } from "../../conditions/share-range.ts"
import { phrase } from "../../phrases/phrase.ts"
import { percent } from "../../phrases/share-words.ts"
import { movedShares, movedSum, sizesBy } from "../../phrases/user-split-words.ts"
import type { TransitionWithEffects } from "../effects/compared-flag.ts"
import type { Effect, Group, UserSplit } from "../effects/effect.ts"
import type { Move } from "../transitions/moves.ts"
import {
  adviceFor,
  type Compared,
  defaultsIn,
  type GateWarning,
  isByOther,
  isIntended,
  locationOfMoves,
  manyWords,
} from "./gate-warning.ts"
import { isLoss, lossWords } from "./losses.ts"

/** What a percentage or a split does to its users. */
export function changesOfSplit(
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
