import { type Condition, parseCondition } from "../../sdk/evaluation/condition.ts"
import { shareIn } from "../../sdk/evaluation/operators.ts"
import { isInPercentage, isInShare } from "../language/comparisons.ts"

/** What determines a user's share. */
export interface ShareSeed {
  readonly attribute: string
  /** `""`: the flag's own key. */
  readonly seed: string
}

/** A range of users in their order by a seed, in percent. */
export interface Range {
  readonly from: number
  readonly to: number
}

/** A range of the shares by an attribute. */
export interface AttributeShare extends ShareSeed, Range {}

/** Text that is equal for equal seeds. */
export function seedName({ attribute, seed }: ShareSeed): string {
  return JSON.stringify([attribute, seed])
}

/** Percentages have three decimals in files; sums and products of doubles have more. */
export function rounded(percent: number): number {
  return Math.round(percent * 1e3) / 1e3
}

/** The share in a comparison; `undefined` for any other condition. `key`: the flag's own. */
export function attributeShare(
  { attribute, operator, value }: Condition,
  key?: string,
): AttributeShare | undefined {
  const range = shareIn(operator, value, "")
  if (range === undefined) return undefined
  const seed = range.seed === key ? "" : range.seed
  return { attribute, seed, from: range.from / 2 ** 32, to: range.to / 2 ** 32 }
}

/** The shares in a condition, including those in groups. */
export function sharesIn(condition: Condition, key?: string): readonly AttributeShare[] {
  const parsed = parseCondition(condition)
  if ("parts" in parsed) return parsed.parts.flatMap((part) => sharesIn(part.condition, key))
  const share = attributeShare(condition, key)
  return share === undefined ? [] : [share]
}

/** The condition for a range that begins at 0. */
export function shareUpTo({ attribute, seed, to }: Omit<AttributeShare, "from">): Condition {
  return seed === "" ? isInPercentage(attribute, to) : isInShare(attribute, { seed, from: 0, to })
}

/** Ranges without some others, as one range; `undefined` if none or several remain. */
export function rangeLeft(ranges: readonly Range[], without: readonly Range[]): Range | undefined {
  let from = Math.max(0, ...ranges.map((range) => range.from))
  let to = Math.min(100, ...ranges.map((range) => range.to))
  for (const gap of without.toSorted((a, b) => a.from - b.from)) {
    if (gap.to <= from || gap.from >= to) continue
    if (gap.from <= from) from = gap.to
    else if (gap.to >= to) to = gap.from
    else return undefined
  }
  return from < to ? { from, to } : undefined
}
