import type { Bound } from "../language/question.ts"

/** A position in an order: just before a value or just after it. */
export interface Cut<T> {
  readonly value: T
  readonly isAfter: boolean
}

/** The values between two cuts; `undefined`: there is no limit on that side. */
export interface Interval<T> {
  readonly from: Cut<T> | undefined
  readonly to: Cut<T> | undefined
}

/** Disjoint intervals, sorted. */
export type Intervals<T> = readonly Interval<T>[]

export type Compare<T> = (a: T, b: T) => number

export const everyValue: Intervals<never> = [{ from: undefined, to: undefined }]

export function before<T>(value: T): Cut<T> {
  return { value, isAfter: false }
}

export function after<T>(value: T): Cut<T> {
  return { value, isAfter: true }
}

/** The values on one side of an operand, which reaches from `first` to `last`. */
export function beyond<T>(
  { isUpper, isInclusive }: Pick<Bound, "isUpper" | "isInclusive">,
  [first, last]: readonly [Cut<T>, Cut<T>],
): Interval<T> {
  const end = isUpper === isInclusive ? last : first
  return isUpper ? { from: undefined, to: end } : { from: end, to: undefined }
}

/** The values that are in all of `positive` and in none of `negative`. */
export function subtract<T>(
  positive: readonly Intervals<T>[],
  negative: readonly Intervals<T>[],
  compare: Compare<T>,
): Intervals<T> {
  const [only, another] = positive
  const left =
    only !== undefined && another === undefined
      ? only
      : complement(union(positive.flatMap(complement), compare))
  return complement(union([...complement(left), ...negative.flat()], compare))
}

function isBelow<T>(from: Cut<T> | undefined, to: Cut<T> | undefined, compare: Compare<T>): boolean {
  return from === undefined || to === undefined || compareCuts(from, to, compare) < 0
}

/** The values that no interval contains. The intervals must be disjoint and sorted. */
function complement<T>(intervals: Intervals<T>): Intervals<T> {
  const result: Interval<T>[] = []
  let from: Cut<T> | undefined
  for (const interval of intervals) {
    if (interval.from !== undefined) result.push({ from, to: interval.from })
    if (interval.to === undefined) return result
    from = interval.to
  }
  result.push({ from, to: undefined })
  return result
}

function union<T>(intervals: readonly Interval<T>[], compare: Compare<T>): Intervals<T> {
  const sorted = intervals
    .filter(({ from, to }) => isBelow(from, to, compare))
    .toSorted((a, b) => {
      if (a.from === undefined || b.from === undefined)
        return Number(a.from !== undefined) - Number(b.from !== undefined)
      return compareCuts(a.from, b.from, compare)
    })
  const result: Interval<T>[] = []
  for (const interval of sorted) {
    const last = result.at(-1)
    const touches =
      last !== undefined &&
      (last.to === undefined ||
        interval.from === undefined ||
        compareCuts(interval.from, last.to, compare) <= 0)
    if (!touches) result.push(interval)
    else if (
      last.to !== undefined &&
      (interval.to === undefined || compareCuts(interval.to, last.to, compare) > 0)
    )
      result[result.length - 1] = { from: last.from, to: interval.to }
  }
  return result
}

export function compareCuts<T>(a: Cut<T>, b: Cut<T>, compare: Compare<T>): number {
  return compare(a.value, b.value) || Number(a.isAfter) - Number(b.isAfter)
}
