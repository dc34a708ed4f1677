import { type Answer, type Doubt, found, none, unknown } from "./answer.ts"
import { inManyWays, likely, texts } from "./candidates.ts"
import type { ShareConstraint } from "./constraint.ts"
import { before, type Intervals, subtract } from "./intervals.ts"
import { compareNumbers } from "./numbers.ts"
import { type Pattern, patternOf } from "./patterns.ts"
import { createJudge, excludedBy, isAsked, type ScalarQuestion } from "./scalar-question.ts"
import { fits, isText, type Values, valuesOf } from "./scalar-values.ts"
import type { Work } from "./work.ts"

/** How many ways of writing a value are tried where most are wrong. */
const waysOfMixed = 16

/**
 * Finds a scalar that answers a question without strings to choose from; `guess.ts` answers the others. It looks for a
 * contradiction, then constructs candidates, which the SDK tests. If the scalar is compared in one way, the answer is exact
 * except for expressions, small shares and the bound of the work. If it is compared in several ways at once, a candidate
 * may be missed.
 */
export function findScalar(question: ScalarQuestion, work: Work): Answer<unknown> {
  work.spend(16)
  const pattern = contradicts(question) ? undefined : patternOf(question.pattern)
  if (pattern === undefined) return none
  const isMember = createJudge(question, work)
  // The empty string is outside all shares.
  if (!isShareOpen(question)) return isMember("") ? found("") : none
  const values = valuesOf(question, work)
  if (values === undefined || !fits(pattern, values)) return none
  work.spend(excludedBy(question) >> 2)
  const candidates = isText(values) ? texts(question, pattern) : valuesIn(question, pattern, values)
  return firstMember(candidates, isMember, work) ?? unknown(doubtIn(question, values))
}

/** Numbers, versions or moments, or strings that stand for them. */
function* valuesIn(question: ScalarQuestion, pattern: Pattern, values: Values): Generator<unknown> {
  yield* likely(pattern, values)
  yield* inManyWays(question, values, isMixed(question) ? waysOfMixed : undefined)
}

function firstMember(
  candidates: Iterable<unknown>,
  isMember: (scalar: unknown) => boolean,
  work: Work,
): Answer<unknown> | undefined {
  for (const candidate of candidates) {
    if (work.isSpent) return unknown("bound")
    if (isMember(candidate)) return found(candidate)
  }
  return undefined
}

/** Whether the scalar is compared in several ways, so that perhaps no notation of its value matches. */
function isMixed({ pattern, numbers, moments, versions }: ScalarQuestion): boolean {
  return [pattern, numbers, moments, versions].filter(isAsked).length > 1
}

/** Why it is not known whether there is a scalar, although no candidate is one. */
function doubtIn(question: ScalarQuestion, values: Values): Doubt {
  if (isAsked(question.expression)) return "expression"
  return !isText(values) && isMixed(question) ? "mixture" : "bound"
}

/** Whether some expression must match and must not. */
function contradicts({ expression: { holds, fails } }: ScalarQuestion): boolean {
  return holds.some(({ source }) => fails.some((one) => one.source === source))
}

/** Whether each seed has some share that is in all that hold and in none that fail. */
function isShareOpen({ share }: ScalarQuestion): boolean {
  const { holds, fails } = share
  const seeds = new Set([...holds, ...fails].map(({ seed }) => seed))
  return [...seeds].every((seed) => {
    const rangesOf = (sides: readonly ShareConstraint[]) =>
      sides.filter((one) => one.seed === seed).map(({ from, to }) => rangeOf(from, to))
    const open = subtract([rangeOf(0, 100 * 2 ** 32), ...rangesOf(holds)], rangesOf(fails), compareNumbers)
    return open.some(({ from, to }) => hasShare(from?.value ?? 0, to?.value ?? 0))
  })
}

function rangeOf(from: number, to: number): Intervals<number> {
  return [{ from: before(from), to: before(to) }]
}

/** Whether a range, in hundredths, has a share: a whole number. */
function hasShare(from: number, to: number): boolean {
  let first = Math.max(0, Math.floor(from / 100) - 1)
  while (first * 100 < from) first++
  return first * 100 < to
}
