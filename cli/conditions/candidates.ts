import type { Interval, Intervals } from "./intervals.ts"
import { someMoments, spellMoment } from "./moments.ts"
import { someNumbers, spellNumber } from "./numbers.ts"
import { type Pattern, textsWith } from "./patterns.ts"
import { excludedBy, isAsked, type ScalarQuestion } from "./scalar-question.ts"
import type { Values } from "./scalar-values.ts"
import { someVersions, spellVersion } from "./versions.ts"

/** How many strings are tried for a share, and how many notations of one value. */
const mostShares = 10_000
const mostWays = 300
/** How many numbers, versions or moments are tried. */
const mostMembers = 24

/** Strings with the pattern that are not numbers, versions or moments. */
export function texts(question: ScalarQuestion, pattern: Pattern): Generator<string> {
  return textsWith(pattern, question, isAsked(question.share) ? mostShares : 4)
}

/** Numbers, versions and moments as authors write them, and with the parts of the pattern. */
export function* likely(pattern: Pattern, values: Values): Generator<unknown> {
  yield* plain(values)
  yield* within(pattern)
  const end = pattern.contained.join("") + pattern.suffix
  if (end !== "") for (const value of plain(values)) if (typeof value === "string") yield value + end
}

/** Numbers, versions and moments in enough notations that one of them is in a share and in no list of strings. */
export function* inManyWays(question: ScalarQuestion, values: Values, most?: number): Generator<unknown> {
  const { numbers = [], versions = [], moments = [] } = values
  const ways = most ?? (isAsked(question.share) ? mostShares : mostWays + excludedBy(question))
  for (const number of firstOf(numbers, someNumbers)) yield* spellNumber(number, ways)
  for (const version of firstOf(versions, someVersions)) yield* spellVersion(version, ways)
  for (const moment of firstOf(moments, someMoments)) yield* spellMoment(moment, ways)
}

/** A few members of each interval, as authors write them. */
export function* plain({ numbers = [], versions = [], moments = [] }: Values): Generator<unknown> {
  for (const number of firstOf(numbers, someNumbers)) yield* spellNumber(number, 1)
  for (const version of firstOf(versions, someVersions)) yield* spellVersion(version, 0)
  for (const moment of firstOf(moments, someMoments)) yield* spellMoment(moment, 0)
}

/** Numbers and versions that contain the parts of the pattern. */
function* within({ prefix, suffix, contained }: Pattern): Generator<string> {
  if (prefix === "" && suffix === "" && contained.length === 0) return
  for (const filler of ["", "0", "1", "5", "9", ".", ".0", ".5", "0.", "1.", "e1", "e-1"]) {
    yield prefix + contained.join(filler) + filler + suffix
    yield prefix + filler + contained.join(filler) + suffix
    yield prefix + filler + contained.join(filler) + filler + suffix
  }
}

/** Up to three members of each of the first intervals. */
function* firstOf<T>(intervals: Intervals<T>, some: (interval: Interval<T>) => Generator<T>): Generator<T> {
  let members = 0
  for (const interval of intervals) {
    if (members >= mostMembers) return
    let count = 0
    for (const member of some(interval)) {
      yield member
      members++
      if (++count === 3) break
    }
  }
}
