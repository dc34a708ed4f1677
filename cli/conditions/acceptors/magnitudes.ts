import type { Truth } from "../../../sdk/evaluation/match-condition.ts"
import type { Intervals } from "../intervals.ts"
import { type DecimalEnd, type DecimalInterval, decimalsOf } from "./rounding.ts"
import { createSignificands, type Place, type Significands } from "./significands.ts"

/** Says which decimal numbers are read as a double of certain intervals, by sign, digits and scale. */
export interface Magnitudes {
  readonly significands: Significands
  /** The least and the greatest scale of a boundary: beyond them scales make no difference. */
  readonly scales: readonly [number, number]
  readonly hasZero: boolean
  /** Whether numbers are in the intervals whose digits end at the place; the scale is anything from `low` to `high`. */
  contain(isNegative: boolean, place: Place, low: number, high: number): Truth
}

/** The intervals, and their ends as they are compared with numbers. */
interface Boundaries {
  readonly decimals: readonly DecimalInterval[]
  readonly ends: readonly DecimalEnd[]
  /** The rank of each end, by its digits. */
  readonly ranks: ReadonlyMap<string, number>
  /** The scales of the ends, each once, the least first. */
  readonly scales: readonly number[]
}

/** Of the ends' digits, no more than `longest` are compared: where that is not enough, it is not known. */
export function createMagnitudes(intervals: Intervals<number>, longest: number): Magnitudes {
  const decimals = intervals.flatMap((interval) => decimalsOf(interval) ?? [])
  const ends = decimals.flatMap(({ from, to }) => [from, to]).filter((end) => end !== undefined)
  const significands = createSignificands(
    ends.map(({ at }) => at.digits),
    longest,
  )
  const ranks = new Map(ends.map(({ at }) => [at.digits, 2 * significands.indexOf(at.digits) + 1]))
  const scales = [...new Set(ends.map(({ at }) => at.scale))].sort((a, b) => a - b)
  const boundaries: Boundaries = { decimals, ends, ranks, scales }
  const [leastScale, mostScale] = [scales[0] ?? 0, scales.at(-1) ?? 0]
  const answers = new Map<string, Truth>()
  return {
    significands,
    scales: [leastScale, mostScale],
    hasZero: isIn(0, 0, 0, boundaries),
    contain(isNegative, place, low, high) {
      // All scales beyond those of the ends give the same answer as the first one beyond.
      const clamped = (scale: number) => Math.min(Math.max(scale, leastScale - 1), mostScale + 1)
      const [least, most] = [clamped(low), clamped(high)]
      const key = `${isNegative} ${place} ${least} ${most}`
      const known = answers.get(key)
      if (known !== undefined) return known
      const [sign, rank] = [isNegative ? -1 : 1, significands.rankOf(place)]
      const isUnsure = significands.isCut(rank) && isLikeAnEnd(sign, rank, [least, most], boundaries)
      const answer = isUnsure ? "unknown" : answerFor(sign, rank, [least, most], boundaries)
      answers.set(key, answer)
      return answer
    },
  }
}

type Range = readonly [least: number, most: number]

/** Whether numbers of all these scales are in the intervals; `unknown` where some are and some are not. */
function answerFor(sign: number, rank: number, [from, to]: Range, boundaries: Boundaries): Truth {
  // Between two neighbouring scales of ends all scales give the same answer.
  const scales = new Set([from, to])
  for (const one of boundaries.scales)
    for (const near of [one - 1, one, one + 1]) if (isWithin(near, [from, to])) scales.add(near)
  const found = new Set([...scales].map((scale) => isIn(sign, rank, scale, boundaries)))
  return found.size > 1 ? "unknown" : found.has(true)
}

function isIn(sign: number, rank: number, scale: number, { decimals, ranks }: Boundaries): boolean {
  return decimals.some(({ from, to }) => {
    const low = from && orderOf(sign, rank, scale, from, ranks)
    const high = to && orderOf(sign, rank, scale, to, ranks)
    const isBehind = low === undefined || low > 0 || (low === 0 && from?.isIncluded)
    return isBehind && (high === undefined || high < 0 || (high === 0 && to?.isIncluded))
  })
}

/** The order of a number and an end: both are compared with 0 first, then by scale, then by digits. */
function orderOf(
  sign: number,
  rank: number,
  scale: number,
  { at }: DecimalEnd,
  ranks: Boundaries["ranks"],
): number {
  const other = at.isNegative ? -1 : 1
  if (sign !== other) return sign - other
  return sign * (scale - at.scale || rank - (ranks.get(at.digits) ?? 0))
}

/** Whether some end begins with the same digits, so that those that are not compared may decide. */
function isLikeAnEnd(sign: number, rank: number, scales: Range, { ends, ranks }: Boundaries): boolean {
  return ends.some(
    ({ at }) => at.isNegative === sign < 0 && ranks.get(at.digits) === rank && isWithin(at.scale, scales),
  )
}

function isWithin(scale: number, [least, most]: Range): boolean {
  return scale >= least && scale <= most
}
