import type { Interval, Intervals } from "./intervals.ts"
import { someMoments, spellMoment } from "./moments.ts"
import { someNumbers, spellNumber } from "./numbers.ts"
import { type Pattern, textsWith } from "./patterns.ts"
import type { ScalarQuestion } from "./scalar-question.ts"
import type { Values } from "./scalar-values.ts"
import { someVersions, spellVersion } from "./versions.ts"

/** How many texts are tried for a share, and how many ways of writing one value. */
const mostShares = 10_000
const mostWays = 300
/** How many numbers, versions or moments are tried. */
const mostMembers = 24

/** Scalars that may answer the question, the likeliest first. */
export function* candidates(question: ScalarQuestion, pattern: Pattern, values: Values): Generator<unknown> {
  const { texts, share } = question
  const hasShare = share.holds.length + share.fails.length > 0
  if (values.numbers === undefined && values.versions === undefined && values.moments === undefined) {
    yield* textsWith(pattern, question, hasShare ? mostShares : 4)
    return
  }
  yield* plain(values)
  yield* within(pattern)
  const excluded = texts.fails.reduce((sum, one) => sum + one.texts.length, 0)
  yield* inManyWays(values, hasShare ? mostShares : mostWays + excluded)
}

/** A few members of each interval, as people write them. */
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

function* inManyWays(
  { numbers = [], versions = [], moments = [] }: Values,
  ways: number,
): Generator<unknown> {
  for (const number of firstOf(numbers, someNumbers)) yield* spellNumber(number, ways)
  for (const version of firstOf(versions, someVersions)) yield* spellVersion(version, ways)
  for (const moment of firstOf(moments, someMoments)) yield* spellMoment(moment, ways)
}

/** Up to three members of each of the first intervals. */
function firstOf<T>(intervals: Intervals<T>, some: (interval: Interval<T>) => Generator<T>): readonly T[] {
  const members: T[] = []
  for (const interval of intervals) {
    if (members.length >= mostMembers) break
    let count = 0
    for (const member of some(interval)) {
      members.push(member)
      if (++count === 3) break
    }
  }
  return members
}
