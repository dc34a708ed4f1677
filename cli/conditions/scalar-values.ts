import { type Intervals, subtract } from "./intervals.ts"
import { millisecondsOf, numbersAtMoments } from "./moments.ts"
import { compareNumbers, doublesOf } from "./numbers.ts"
import type { Pattern } from "./patterns.ts"
import type { ScalarQuestion, Sides } from "./scalar-question.ts"
import { compareVersions, someVersions, type Version } from "./versions.ts"
import type { Work } from "./work.ts"

/** The numbers, versions and moments that remain possible. Each is set only if a constraint requires one. */
export interface Values {
  readonly numbers?: Intervals<number> | undefined
  readonly versions?: Intervals<Version> | undefined
  readonly moments?: Intervals<number> | undefined
}

/** Whether any string will do, because no number, version or moment is needed. */
export function isText({ numbers, versions, moments }: Values): boolean {
  return numbers === undefined && versions === undefined && moments === undefined
}

/** `undefined` if one of the three is needed and none is possible. */
export function valuesOf(question: ScalarQuestion, work: Work): Values | undefined {
  for (const { holds, fails } of [question.numbers, question.moments, question.versions])
    if (holds.length > 0) work.spend((holds.length + fails.length) >> 1)
  const numbers = intervalsOf(question.numbers, compareNumbers)
  const moments = intervalsOf(question.moments, compareNumbers)
  const versions = intervalsOf(question.versions, compareVersions)
  if (numbers?.every((interval) => doublesOf(interval) === undefined)) return undefined
  if (moments?.every((interval) => millisecondsOf(interval) === undefined)) return undefined
  if (versions?.every((interval) => someVersions(interval).next().done)) return undefined
  if (numbers === undefined || moments === undefined) return { numbers, versions, moments }
  // No string is both a number and a moment, so a number has to be both.
  const atMoments = moments.flatMap((interval) => numbersAtMoments(interval) ?? [])
  const both = subtract([numbers, atMoments], [], compareNumbers)
  return both.every((interval) => doublesOf(interval) === undefined) ? undefined : { numbers: both, versions }
}

function intervalsOf<T>(
  { holds, fails }: Sides<{ readonly intervals: Intervals<T> }>,
  compare: (a: T, b: T) => number,
): Intervals<T> | undefined {
  if (holds.length === 0) return undefined
  return subtract(
    holds.map(({ intervals }) => intervals),
    fails.map(({ intervals }) => intervals),
    compare,
  )
}

/** Whether the parts of a pattern can stand in a number, a version or a moment, judged by their characters. */
export function fits(
  { prefix, suffix, contained }: Pattern,
  { numbers, versions, moments }: Values,
): boolean {
  const inNumber = (part: string) => /^[\d.eE+-]*$/.test(part) || "-infinity".includes(part.toLowerCase())
  return [prefix, suffix, ...contained].every(
    (part) =>
      (numbers === undefined || inNumber(part)) &&
      (versions === undefined || /^[\dA-Za-z.+-]*$/.test(part)) &&
      (moments === undefined || /^[\dTtZz:.+-]*$/.test(part) || inNumber(part)),
  )
}
