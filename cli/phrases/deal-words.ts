import type { Condition } from "../../sdk/evaluation/condition.ts"
import { type ShareSeed, sharesIn } from "../conditions/share-range.ts"
import type { ConditionNames } from "./condition-names.ts"
import { joinPhrases, type Phrase, phrase } from "./phrase.ts"
import { byWords, seedWords } from "./share-words.ts"
import { userWords } from "./users.ts"

/** How shares of an attribute split the users of a condition, before and after. */
export interface Dealing extends ShareSeed {
  /** The attribute or seed that split them before, if it was different. */
  readonly dealtBefore: ShareSeed | undefined
  readonly who: Condition
  /** All users of the condition who have the attribute, or both attributes. */
  readonly shares: readonly DealtShare[]
  /** What everyone here got, if no share split them before and those outside the shares also get a different value. */
  readonly restBefore: string | undefined
}

/**
 * The users with one value before and one after, as a percentage. Values are strings that are equal for equal values;
 * `before` is `undefined` if the flag is new.
 */
export interface DealtShare {
  readonly size: number
  readonly before: string | undefined
  readonly after: string
  readonly isMoved: boolean
}

/** Stands for the value of users outside all shares, which a share may also have. */
export const theRest = ""

/** One line for a percentage or a split in its own shares; `undefined` if a condition describes it better. */
export function dealWords(
  { attribute, seed, dealtBefore, who, shares, restBefore }: Dealing,
  wordsOf: (value: string) => Phrase,
  names: ConditionNames,
): Phrase | undefined {
  const { whom, unless } = userWords(who, names)
  const isOther = dealtBefore !== undefined && dealtBefore.attribute !== attribute
  const dealt = isOther
    ? phrase`now ${byWords(attribute, seed)} instead of ${byWords(dealtBefore.attribute, dealtBefore.seed)}`
    : dealtBefore
      ? phrase`by ${attribute}, now ${seedWords(seed)}`
      : byWords(attribute, seed)
  const by = phrase`, ${dealt}${unless.length > 0 ? [",", ...unless] : []}`
  const own = shareSteps(shares)
  const [only] = own
  if (own.length === 1 && only !== undefined && dealtBefore === undefined && restBefore === undefined) {
    const { value, from, to } = only
    // A share that leaves out the first users, beside another share, is a holdout: the sentence says whom it takes.
    const isHoldout =
      shares[0]?.before === theRest && sharesIn(who).some((share) => share.attribute === attribute)
    if (from === 0 || to === 0 || isHoldout) return undefined
    if (from !== to)
      return phrase`the share of users${whom} who get ${wordsOf(value)} ${[from < to ? "rises" : "falls"]} from ${from} % to ${to} %${by}`
  }
  const moved = movedShares(shares)
  const [move, ...moreMoves] = moved
  const isOneRange = shares.filter((share, at) => share.isMoved && !shares[at - 1]?.isMoved).length < 2
  const isOtherValue =
    isOneRange &&
    moreMoves.length === 0 &&
    own.every(({ value, from, to }) =>
      value === move?.before ? to === 0 : value === move?.after ? from === 0 : from === to,
    )
  const areValues = move?.before !== theRest && move?.after !== theRest
  if (isOtherValue && areValues && dealtBefore === undefined && restBefore === undefined) return undefined
  if (own.every(({ from }) => from === 0)) {
    const parts = own.map(({ value, to }, at) => phrase`${to} %${[at === 0 ? " get" : ""]} ${wordsOf(value)}`)
    const of = whom.length > 0 ? phrase`of users${whom}, ` : []
    const instead = restBefore === undefined ? [] : phrase`; all instead of ${wordsOf(restBefore)}`
    return phrase`${of}${joinPhrases(parts, ", ")}${by}; the rest ${wordsOf(theRest)}${instead}`
  }
  const steps = own.map(({ value, from, to }) =>
    from === to ? phrase`${wordsOf(value)} stays ${to} %` : phrase`${wordsOf(value)} ${from} → ${to} %`,
  )
  const bySize = moved.toSorted((a, b) => b.size - a.size)
  const shown = moved.length > mostMoves ? bySize.slice(0, mostMoves - 1) : moved
  const moves = shown.map(
    ({ size, before: one, after: other }) => phrase`${size} % ${wordsOf(one)} → ${wordsOf(other)}`,
  )
  if (moved.length > shown.length) moves.push([`and ${moved.length - shown.length} more`])
  const sum = movedSum(shares)
  const users = isOther
    ? phrase`of users${whom} who have both attributes, ${sum} %`
    : phrase`${sum} % of users${whom}`
  const change = phrase`${users} change (${joinPhrases(moves, ", ")})`
  return phrase`${joinPhrases(steps, ", ")}: ${change}${by}`
}

/** The maximum number of moves from one value to another that a sentence lists. */
const mostMoves = 6

/** How the share of each value changes, except for the value of users outside all shares. */
function shareSteps(shares: readonly DealtShare[]) {
  const [before, after] = [sizesBy(shares, "before"), sizesBy(shares, "after")]
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((value) => value !== theRest)
    .map((value) => ({ value, from: before.get(value) ?? 0, to: after.get(value) ?? 0 }))
}

/** How many percent get a different value. */
export function movedSum(shares: readonly DealtShare[]): number {
  return rounded(movedShares(shares).reduce((sum, { size }) => sum + size, 0))
}

/** How many percent move from each value to each other one. */
export function movedShares(shares: readonly DealtShare[]) {
  const moved = shares.flatMap(({ size, before, after, isMoved }) =>
    before === undefined || !isMoved ? [] : [{ size, before, after }],
  )
  const groups = Map.groupBy(moved, ({ before, after }) => JSON.stringify([before, after]))
  return [...groups.values()].flatMap(([first, ...more]) =>
    first === undefined
      ? []
      : [{ ...first, size: rounded(more.reduce((sum, { size }) => sum + size, first.size)) }],
  )
}

/** How many percent get each value. */
export function sizesBy(
  shares: readonly DealtShare[],
  side: "before" | "after",
): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>()
  for (const share of shares) {
    const value = share[side]
    if (value !== undefined) sizes.set(value, rounded((sizes.get(value) ?? 0) + share.size))
  }
  return sizes
}

/** Percentages have three decimals in files; sums and products of doubles have more. */
function rounded(percent: number): number {
  return Math.round(percent * 1e3) / 1e3
}
