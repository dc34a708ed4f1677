import { type Answer, found, none, unknown } from "./answer.ts"
import type { Constraint } from "./constraint.ts"
import { type Compare, type Interval, type Intervals, subtract } from "./intervals.ts"
import { numbersAtMoments, someMoments, spellMoment } from "./moments.ts"
import { compareNumbers, doublesOf, someNumbers, spellNumber } from "./numbers.ts"
import { type Pattern, patternOf, textsWith } from "./patterns.ts"
import { compareVersions, someVersions, spellVersion, type Version } from "./versions.ts"
import type { Work } from "./work.ts"

/** The scalars for which every constraint of `holds` holds and none of `fails` does. */
export interface ScalarQuestion {
  readonly holds: readonly Constraint[]
  readonly fails: readonly Constraint[]
}

/**
 * Finds a scalar. It looks for a reason why there is none, then constructs candidates and lets the SDK judge them. The
 * answer is exact for sets of texts with all else; for prefixes, suffixes, parts of texts and shares together; and for
 * numbers, versions or moments with sets of texts and shares. Other mixtures may stay unknown.
 */
export function findScalar(question: ScalarQuestion, work: Work): Answer<unknown> {
  const { holds, fails } = question
  const isMember = (scalar: unknown) => {
    work.spend(1 + holds.length + fails.length)
    return holds.every((one) => one.holds(scalar)) && !fails.some((one) => one.holds(scalar))
  }
  work.spend(holds.length + fails.length)
  const texts = smallestTexts(holds)
  if (texts !== undefined) {
    for (const text of texts) {
      if (work.isSpent) return unknown("bound")
      const scalar = scalarsOf(text).find(isMember)
      if (scalar !== undefined) return found(scalar)
    }
    return none
  }
  if (contradicts(question)) return none
  // The empty text is outside all shares.
  if (!hasShare(question)) return isMember("") ? found("") : none
  const pattern = patternOf(holds, fails)
  if (pattern === undefined) return none
  const values = valuesOf(question)
  if (values === undefined || !fits(pattern, values)) return none
  for (const candidate of candidates(question, pattern, values)) {
    if (work.isSpent) return unknown("bound")
    if (isMember(candidate)) return found(candidate)
  }
  const expressions = [...holds, ...fails].some(({ kind }) => kind === "expression")
  const shares = [...holds, ...fails].some(({ kind }) => kind === "share")
  return unknown(expressions ? "expression" : shares ? "bound" : "mixture")
}

/** The members of the smallest set of texts; `undefined` where no constraint is one. */
function smallestTexts(holds: readonly Constraint[]): readonly string[] | undefined {
  let smallest: readonly string[] | undefined
  for (const constraint of holds) {
    if (constraint.kind === "texts" && (smallest === undefined || constraint.texts.length < smallest.length))
      smallest = constraint.texts
  }
  return smallest
}

/** All scalars of a text that an operator can tell apart: it, a number, and a Date outside RFC 3339's years. */
function scalarsOf(text: string): readonly unknown[] {
  const number = Number(text)
  const moment = /^[+-]\d{6}-/.test(text) ? new Date(text) : undefined
  return [
    text,
    ...(String(number) === text && text !== "NaN" ? [number] : []),
    ...(moment !== undefined && !Number.isNaN(moment.getTime()) && moment.toISOString() === text
      ? [moment]
      : []),
  ]
}

/** Whether an expression has to match and must not. */
function contradicts({ holds, fails }: ScalarQuestion): boolean {
  const forbidden = new Set(fails.map((one) => (one.kind === "expression" ? one.source : undefined)))
  return holds.some((one) => one.kind === "expression" && forbidden.has(one.source))
}

/** Whether some share is in all that hold and in none that fail. */
function hasShare({ holds, fails }: ScalarQuestion): boolean {
  const limitsOf = (constraints: readonly Constraint[]) =>
    constraints.flatMap((one) => (one.kind === "share" ? [one.limit] : []))
  const low = Math.max(0, ...limitsOf(fails))
  // Shares are whole numbers: this is the first one that times 100 reaches `low`.
  let first = Math.max(0, Math.floor(low / 100) - 1)
  while (first * 100 < low) first++
  return first * 100 < Math.min(2 ** 32 * 100, ...limitsOf(holds))
}

/** What numbers, versions and moments are left, each only where a constraint asks for one. */
interface Values {
  readonly numbers: Intervals<number> | undefined
  readonly versions: Intervals<Version> | undefined
  readonly moments: Intervals<number> | undefined
}

/** `undefined` where one is asked for and none is left. */
function valuesOf(question: ScalarQuestion): Values | undefined {
  const numbers = intervalsOf<number>(question, "numbers", compareNumbers)
  const moments = intervalsOf<number>(question, "moments", compareNumbers)
  const versions = intervalsOf<Version>(question, "versions", compareVersions)
  if (numbers?.every((interval) => doublesOf(interval) === undefined)) return undefined
  if (moments?.every((interval) => someMoments(interval).next().done)) return undefined
  if (versions?.every((interval) => someVersions(interval).next().done)) return undefined
  if (numbers === undefined || moments === undefined) return { numbers, versions, moments }
  // No text is both a number and a moment, so a number has to be both.
  const both = subtract(
    [numbers, moments.flatMap((interval) => numbersAtMoments(interval) ?? [])],
    [],
    compareNumbers,
  )
  return both.every((interval) => doublesOf(interval) === undefined)
    ? undefined
    : { numbers: both, versions, moments: undefined }
}

function intervalsOf<T>(
  { holds, fails }: ScalarQuestion,
  kind: "numbers" | "moments" | "versions",
  compare: Compare<T>,
): Intervals<T> | undefined {
  const pick = (constraints: readonly Constraint[]) =>
    constraints.flatMap((one) => (one.kind === kind ? [one.intervals as unknown as Intervals<T>] : []))
  const positive = pick(holds)
  return positive.length === 0 ? undefined : subtract(positive, pick(fails), compare)
}

/** Whether the parts of a pattern can stand in a number, a version or a moment, judged by their characters. */
function fits({ prefix, suffix, contained }: Pattern, { numbers, versions, moments }: Values): boolean {
  const inNumber = (part: string) => /^[\d.eE+-]*$/.test(part) || "-Infinity".includes(part)
  return [prefix, suffix, ...contained].every(
    (part) =>
      (numbers === undefined || inNumber(part)) &&
      (versions === undefined || /^[\dA-Za-z.+-]*$/.test(part)) &&
      (moments === undefined || /^[\dTtZz:.+-]*$/.test(part) || inNumber(part)),
  )
}

/** Ways of writing one value, and texts for a share: how many are tried. */
const mostShares = 10_000
const mostWays = 300

function* candidates(question: ScalarQuestion, pattern: Pattern, values: Values): Generator<unknown> {
  const constraints = [...question.holds, ...question.fails]
  const excluded = question.fails.reduce((sum, one) => sum + (one.kind === "texts" ? one.texts.length : 0), 0)
  const isShare = constraints.some(({ kind }) => kind === "share")
  const ways = isShare ? mostShares : mostWays + excluded
  const isText = values.numbers === undefined && values.versions === undefined && values.moments === undefined
  if (isText) {
    yield* textsWith(pattern, constraints, isShare ? mostShares : 4)
    return
  }
  yield* plain(values)
  yield* within(pattern)
  yield* inManyWays(values, ways)
}

/** A few members of each interval, as people write them. */
function* plain({ numbers = [], versions = [], moments = [] }: Values): Generator<unknown> {
  for (const number of firstOf(numbers, someNumbers)) yield* spellNumber(number, 1)
  for (const version of firstOf(versions, someVersions)) yield* spellVersion(version, 0)
  for (const moment of firstOf(moments, someMoments)) yield* spellMoment(moment, 0)
}

/** Numbers and versions that have the parts of the pattern. */
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

/** Up to three members of each of the first intervals that have one. */
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

const mostMembers = 24
