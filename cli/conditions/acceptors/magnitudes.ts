import type { Truth } from "../../../sdk/evaluation/match-condition.ts"
import type { Intervals } from "../intervals.ts"
import { type DecimalEnd, decimalsOf } from "./rounding.ts"
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

export function createMagnitudes(intervals: Intervals<number>, longest: number): Magnitudes {
  const decimals = intervals.flatMap((interval) => decimalsOf(interval) ?? [])
  const ends = decimals.flatMap(({ from, to }) => [from, to]).filter((end) => end !== undefined)
  const significands = createSignificands(
    ends.map(({ at }) => at.digits),
    longest,
  )
  const ranks = new Map(ends.map(({ at }) => [at.digits, 2 * significands.indexOf(at.digits) + 1]))
  const allScales = [...new Set(ends.map(({ at }) => at.scale))].sort((a, b) => a - b)

  /** The order of a number and an end: both are compared with 0 first, then by scale, then by digits. */
  const orderOf = (sign: number, rank: number, scale: number, { at }: DecimalEnd) => {
    const other = at.isNegative ? -1 : 1
    return sign !== other ? sign - other : sign * (scale - at.scale || rank - (ranks.get(at.digits) ?? 0))
  }
  const isIn = (sign: number, rank: number, scale: number) =>
    decimals.some(({ from, to }) => {
      const [low, high] = [from && orderOf(sign, rank, scale, from), to && orderOf(sign, rank, scale, to)]
      const isBehind = low === undefined || low > 0 || (low === 0 && from?.isIncluded)
      return isBehind && (high === undefined || high < 0 || (high === 0 && to?.isIncluded))
    })

  const isLike = (sign: number, rank: number, { at }: DecimalEnd) =>
    at.isNegative === sign < 0 && ranks.get(at.digits) === rank
  const answerFor = (sign: number, rank: number, from: number, to: number): Truth => {
    const scales = new Set([from, to])
    for (const one of allScales)
      for (const near of [one - 1, one, one + 1]) if (isWithin(near, from, to)) scales.add(near)
    const found = new Set([...scales].map((scale) => isIn(sign, rank, scale)))
    return found.size > 1 ? "unknown" : found.has(true)
  }

  const answers = new Map<string, Truth>()
  return {
    significands,
    scales: [allScales[0] ?? 0, allScales.at(-1) ?? 0],
    hasZero: isIn(0, 0, 0),
    contain(isNegative, place, low, high) {
      // Between two neighbouring scales of boundaries all scales give the same answer.
      const [least, most] = [(allScales[0] ?? 0) - 1, (allScales.at(-1) ?? 0) + 1]
      const [from, to] = [Math.min(Math.max(low, least), most), Math.max(Math.min(high, most), least)]
      const key = `${isNegative} ${place} ${from} ${to}`
      const known = answers.get(key)
      if (known !== undefined) return known
      const [sign, rank] = [isNegative ? -1 : 1, significands.rankOf(place)]
      const answer =
        significands.isCut(rank) &&
        ends.some((end) => isLike(sign, rank, end) && isWithin(end.at.scale, from, to))
          ? "unknown"
          : answerFor(sign, rank, from, to)
      answers.set(key, answer)
      return answer
    },
  }
}

function isWithin(scale: number, from: number, to: number): boolean {
  return scale >= from && scale <= to
}
