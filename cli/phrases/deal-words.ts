import type { Condition } from "../../sdk/evaluation/condition.ts"
import { byWords, type ConditionNames, userWords } from "./people.ts"
import { joinPhrases, type Phrase, phrase } from "./phrase.ts"

/** How the users of a condition are dealt by the shares of an attribute, before and after. */
export interface Dealing {
  readonly attribute: string
  /** `""`: the flag's own key. */
  readonly seed: string
  readonly who: Condition
  /** In percent; values are texts that are equal for equal values. Before is `undefined` where the flag is new. */
  readonly shares: readonly DealtRange[]
  /** What users get whom no share has. */
  readonly others: string
}

export interface DealtRange {
  readonly from: number
  readonly to: number
  readonly before: string | undefined
  readonly after: string
}

/** One line for a percentage or a split in its own shares; `undefined` where a condition says it better. */
export function dealWords(
  { attribute, seed, who, shares, others }: Dealing,
  wordsOf: (value: string) => Phrase,
  names: ConditionNames,
): Phrase | undefined {
  const [before, after] = [sizesBy(shares, "before"), sizesBy(shares, "after")]
  const values = [...new Set([...before.keys(), ...after.keys()])].filter((value) => value !== others)
  const { whom, unless } = userWords(who, names)
  const by = phrase`, ${byWords(attribute, seed)}${unless.length > 0 ? [",", ...unless] : []}`
  const own = values.map((value) => ({ value, from: before.get(value) ?? 0, to: after.get(value) ?? 0 }))
  const [only] = own
  if (own.length === 1 && only !== undefined) {
    const { value, from, to } = only
    if (from === 0 || to === 0 || from === to) return undefined
    return phrase`the share of users${whom} that get ${wordsOf(value)} ${[from < to ? "rises" : "falls"]} from ${from} % to ${to} %${by}`
  }
  if (own.every(({ from }) => from === 0)) {
    const parts = own.map(({ value, to }, at) => phrase`${to} %${[at === 0 ? " get" : ""]} ${wordsOf(value)}`)
    const of = whom.length > 0 ? phrase`of users${whom}, ` : []
    return phrase`${of}${joinPhrases(parts, ", ")}${by}; the rest ${wordsOf(others)}`
  }
  const steps = own.map(({ value, from, to }) =>
    from === to ? phrase`${wordsOf(value)} stays ${to} %` : phrase`${wordsOf(value)} ${from} → ${to} %`,
  )
  const moved = movedShares(shares)
  const moves = moved.map(
    ({ size, before: one, after: other }) => phrase`${size} % ${wordsOf(one)} → ${wordsOf(other)}`,
  )
  const sum = rounded(moved.reduce((all, { size }) => all + size, 0))
  const change = phrase`${sum} % of users${whom} change (${joinPhrases(moves, ", ")})`
  return phrase`${joinPhrases(steps, ", ")}: ${change}${by}`
}

/** How many percent go from which value to which other one. */
export function movedShares(shares: readonly DealtRange[]) {
  const moved = shares.flatMap(({ from, to, before, after }) =>
    before === undefined || before === after ? [] : [{ size: to - from, before, after }],
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
  shares: readonly DealtRange[],
  side: "before" | "after",
): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>()
  for (const share of shares) {
    const value = share[side]
    if (value !== undefined) sizes.set(value, rounded((sizes.get(value) ?? 0) + share.to - share.from))
  }
  return sizes
}

/** Percentages have three decimals in files; sums of doubles have more. */
function rounded(percent: number): number {
  return Math.round(percent * 1e6) / 1e6
}
