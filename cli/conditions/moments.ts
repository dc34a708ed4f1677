import { after, before, type Interval } from "./intervals.ts"
import { doublesOf } from "./numbers.ts"

/** The first and the last whole millisecond of an interval; `undefined` where it has none. */
export function millisecondsOf(interval: Interval<number>): readonly [number, number] | undefined {
  const range = doublesOf(interval)
  if (range === undefined) return undefined
  const [first, last] = [Math.ceil(range[0]), Math.floor(range[1])]
  return first <= last ? [first, last] : undefined
}

/** The numbers that, truncated, are moments of the interval. */
export function numbersAtMoments(interval: Interval<number>): Interval<number> | undefined {
  const range = millisecondsOf(interval)
  if (range === undefined) return undefined
  const [first, last] = range
  return {
    from: first === Number.NEGATIVE_INFINITY ? undefined : first > 0 ? before(first) : after(first - 1),
    to: last === Number.POSITIVE_INFINITY ? undefined : last < 0 ? after(last) : before(last + 1),
  }
}

/** At least three moments of an interval, which can be equal. Those that authors would write come first. */
export function* someMoments(interval: Interval<number>): Generator<number> {
  const range = millisecondsOf(interval)
  if (range === undefined) return
  const [first, last] = range
  const [low, high] = [Math.max(first, -1e15), Math.min(last, 1e15)]
  const days = [Math.ceil(low / day1), Math.floor(high / day1)]
  // A whole day at the end of the interval that a rule named.
  for (const day of Number.isFinite(first) ? days : days.toReversed())
    if (day * day1 >= low && day * day1 <= high) yield day * day1
  if (!Number.isFinite(first)) yield high
  for (const index of [0, 1, 2])
    yield Math.floor(low + Math.min(high - low, 1e9) * ((index * 0.618033988749895) % 1))
}

const day1 = 86_400_000
/** The moments that RFC 3339 can write in UTC: the years 0 to 9999. */
export const [firstWritten, lastWritten] = [-62_167_219_200_000, 253_402_300_799_999]

function isWritten(moment: number): boolean {
  return moment >= firstWritten && moment <= lastWritten
}

/** The largest offset from UTC that a string can have, in milliseconds, in either direction. */
const widestOffset = 86_340_000

/** The last moment that a Date can have; the first one is as far before the epoch. */
const lastDate = 8.64e15

/**
 * Ways to write a moment, all distinct. `count` bounds those that are strings; with 0, all are the same in JSON, which cannot
 * carry a Date.
 */
export function* spellMoment(moment: number, count: number): Generator<string | number | Date> {
  if (isWritten(moment)) {
    const text = new Date(moment).toISOString()
    yield text
    if (text.endsWith("T00:00:00.000Z")) yield text.slice(0, 10)
    if (text.endsWith(".000Z")) yield `${text.slice(0, -5)}Z`
    yield text.toLowerCase()
    yield text.replace("Z", "+00:00")
    // Digits below a millisecond are cut off.
    for (let index = 0; index < count; index++) yield text.replace("Z", `${index}Z`)
  }
  yield moment
  const local = moment + (moment < firstWritten ? widestOffset : -widestOffset)
  if (!isWritten(moment) && isWritten(local))
    yield new Date(local).toISOString().replace("Z", moment < firstWritten ? "+23:59" : "-23:59")
  for (let index = 1; index <= Math.min(count, 512); index++) {
    const number = moment + (moment < 0 ? -index : index) / 1024
    if (Math.trunc(number) === moment) yield number
  }
  if (count > 0 && !isWritten(moment) && Math.abs(moment) <= lastDate) yield new Date(moment)
}
