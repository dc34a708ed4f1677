import type { Group, UserSplit } from "../../conditions/moves/group.ts"
import type { Move } from "../../conditions/moves/moves.ts"
import type { Outcome } from "../../conditions/moves/outcome.ts"
import { seedName, sharesIn } from "../../conditions/share-range.ts"
import { type Phrase, phrase } from "../../diagnostics/phrase.ts"
import { attributesOf, havingWords, percentOf } from "../../phrases/divided-users.ts"
import { movedShares, movedSum, sizesBy } from "../../phrases/moved-shares.ts"
import type { TransitionWithEffects } from "../effects/compared-flag.ts"
import type { Effect } from "../effects/effect.ts"
import {
  adviceFor,
  type Compared,
  defaultsIn,
  type GateWarning,
  isByOther,
  isIntended,
  isWinner,
  locationOfMoves,
  manyWords,
} from "./gate-warning.ts"
import { isLoss, isSwapped, lossWords } from "./losses.ts"

/** What a percentage or a split does to its users. `all`: with the effects on other users. */
export function changesOfSplit(
  split: UserSplit,
  effects: readonly Effect[],
  all: readonly Effect[],
  compared: Compared,
): readonly GateWarning[] {
  const { pair, transition, manyChange } = compared
  const users = dividedUsers(split, effects)
  const moves = effects.flatMap(({ group }) => group?.moves ?? [])
  const location = locationOfMoves(pair, transition, moves)
  const sum = movedSum(split.shares)
  const isOther = isOtherRule(split, moves, transition)
  const many: readonly GateWarning[] =
    split.who.length > 0 && sum >= manyChange && !isOther && isStep(split, compared)
      ? [
          {
            code: "many-change",
            words: manyWords(users, sum, compared, adviceFor(moves, [split], transition)),
            ...location,
          },
        ]
      : []
  const others = all.filter((effect) => !effects.includes(effect))
  const swapsWith = (some: readonly Effect[]) =>
    effects.filter(({ group }) => group && isSwapped(group, some, compared))
  const swaps = swapsWith(others)
  const losses = [...effects.filter(({ group }) => group && isLoss(group, compared)), ...swaps]
  const ofValues = losses.filter(
    (loss) => swaps.includes(loss) || (loss.group && isLostValue(split, loss.group)),
  )
  const anew = ofValues.length === 0 ? rebucketing(split, effects, compared) : []
  const lost =
    ofValues.length > 0 || followsFlag(transition, moves) ? ofValues : [...losses, ...swapsWith(effects)]
  if (anew.length > 0 || lost.length === 0) return [...many, ...anew]
  const isLost = (move: { readonly before: string; readonly after: string }) =>
    lost.some(({ group }) => group?.before?.value === move.before && group.after.value === move.after)
  const size = movedShares(split.shares)
    .filter(isLost)
    .reduce((sum, move) => sum + move.size, 0)
  const isLostByOthers = lost.every(
    ({ group }) => group?.before?.value === split.others.before && group?.after.value === split.others.after,
  )
  const rest = isLostByOthers ? phrase`${users} without ${attributesOf(split, "or")}` : users
  const losers = size === 0 ? rest : percentOf(size, users)
  return [...many, { code: "users-lose", words: lossWords(losers, lost, compared), ...location }]
}

/** The users whom a percentage divides. */
function dividedUsers(split: UserSplit, [effect]: readonly Effect[]): Phrase {
  return phrase`${effect?.users ?? []}${havingWords(split)}`
}

/**
 * Whether a group is a loss and no re-bucketing: no share gives what it gets, the shares of what it had are smaller, or
 * those who lack the attribute lose that value. If a different seed picks users, only the last two count.
 */
function isLostValue({ shares, others, instead, armsAfter }: UserSplit, { before, after }: Group): boolean {
  const [had = 0, has = 0] = (["before", "after"] as const).map((side) =>
    sizesBy(shares, side).get(before?.value ?? ""),
  )
  const isUnshared = instead === undefined && !armsAfter.has(after.value)
  return isUnshared || has < had || (others.before === before?.value && others.after !== others.before)
}

/**
 * Whether shares picked among these users before, of which 0 % is one, or now pick among users who all had one value. A rule
 * for some users that is new or gone is no step.
 */
function isStep(
  { shares, by, restBefore, restAfter }: UserSplit,
  { pair, transition: { before } }: Compared,
): boolean {
  const [had, has] = (["before", "after"] as const).map((side) => new Set(shares.map((share) => share[side])))
  const [all] = had ?? []
  if (had === undefined || has === undefined) return false
  if (had.size > 1) return has.size > 1 || !has.has(defaultsIn(pair)[1])
  const isJump = has.size === 1 && before.some((outcome) => isOfSeed(outcome, by.slice(-1)))
  return isJump || (all !== restAfter && all === restBefore && has.has(all))
}

/** Whether these users only come from or go to rules for some users that are new or gone and do not share them out. */
function isOtherRule(
  { who, by }: UserSplit,
  moves: readonly Move[],
  { match }: TransitionWithEffects,
): boolean {
  const isNew = ({ after }: Move) =>
    !isOfSeed(after, by) && match?.added.some((added) => added.after === after.rule)
  const isGone = ({ before }: Move) =>
    !isOfSeed(before, by) && match?.removed.some((removed) => removed.before === before.rule)
  return who.length > 0 && moves.every((move) => isNew(move) || isGone(move))
}

function isOfSeed({ condition }: Outcome, by: UserSplit["by"]): boolean {
  const names = new Set(by.map(seedName))
  return sharesIn(condition).some((share) => names.has(seedName(share)))
}

/** That a seed, an attribute or the order of arms puts users elsewhere, though no value's shares are smaller. */
function rebucketing(
  split: UserSplit,
  effects: readonly Effect[],
  compared: Compared,
): readonly GateWarning[] {
  const { pair, transition } = compared
  const users = dividedUsers(split, effects)
  const moves = effects.flatMap(({ group }) => group?.moves ?? [])
  if (split.instead !== undefined) {
    if (followsFlag(transition, moves)) return []
    const [what, advice] = isByOther(split)
      ? ["attribute", "Keep the attribute, or start a new flag."]
      : ["seed", "Keep the seed, or check that this is intended."]
    const all = percentOf(movedSum(split.shares), users)
    const words = phrase`users are picked by a different ${[what]}: ${all} get a different value. ${[advice]}`
    return [{ code: "users-rebucketed", words, ...locationOfMoves(pair, transition, moves, "attribute") }]
  }
  if (isOtherRule(split, moves, transition) || !putsElsewhere(split)) return []
  const isRange = split.armsBefore.size < 2 || split.armsAfter.size < 2
  const advice = isWinner(split)
    ? isIntended
    : isRange
      ? "Keep the range, or check that this is intended."
      : "Grow only the last share, or check that this is intended."
  const words = phrase`${percentOf(movedSum(split.shares), users)} get a different value. ${[advice]}`
  return [{ code: "users-rebucketed", words, ...locationOfMoves(pair, transition, moves) }]
}

/**
 * Whether users move from one arm to another, unless that one only takes its place, or a value loses some users and gains
 * others. Whoever enters or leaves a holdout in front of the split is not put elsewhere, nor is whoever had what users get whom
 * no share picks: an arm with that value and the rest are alike.
 */
function putsElsewhere({ shares, by, armsBefore, armsAfter, restBefore }: UserSplit): boolean {
  if (by.length > 1) return false
  const moved = movedShares(shares)
  const has = sizesBy(shares, "after")
  return moved.some(({ before, after }) => {
    const isNewArm = armsAfter.has(after) && has.has(before)
    const isTraded = moved.some((move) => move.after === before)
    return (
      armsBefore.has(before) && ((before !== restBefore && (armsBefore.has(after) || isNewArm)) || isTraded)
    )
  })
}

/** Whether a rule only follows another flag, which has the warning. */
function followsFlag({ match }: TransitionWithEffects, moves: readonly Move[]): boolean {
  const pair = match?.pairs.find((pair) => moves.some(({ after }) => after.rule === pair.after))
  return pair?.references?.every(({ kind }) => kind === "flag") === true
}
