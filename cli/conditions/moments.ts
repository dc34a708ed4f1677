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
/** Whether RFC 3339 can write a moment in UTC: in the years 0 to 9999. */
function isWritten(moment: number): boolean {
  return moment >= -62_167_219_200_000 && moment <= 253_402_300_799_999
}

/** Ways to write a moment, all distinct. `count` bounds those that are strings. */
export function* spellMoment(moment: number, count: number): Generator<string | number> {
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
  for (let index = 1; index <= Math.min(count, 512); index++) {
    const number = moment + (moment < 0 ? -index : index) / 1024
    if (Math.trunc(number) === moment) yield number
  }
}
