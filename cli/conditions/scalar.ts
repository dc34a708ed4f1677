import type { Spelled } from "./acceptors/ask.ts"
import { findSpelled } from "./acceptors/find-spelled.ts"
import { type Answer, type Doubt, found, none, unknown } from "./answer.ts"
import { inManyWays, likely, mostTexts, texts } from "./candidates.ts"
import { patternOf } from "./patterns.ts"
import { createJudge, excludedBy, isAsked, type ScalarQuestion } from "./scalar-question.ts"
import { fits, isText, valuesOf } from "./scalar-values.ts"
import type { Work } from "./work.ts"

/**
 * Finds a scalar that answers a question without texts to choose from, which `guess.ts` answers. It looks for a reason why
 * there is none, then constructs candidates, which the SDK judges. If none of them is a member, and numbers, versions or
 * moments are asked for, every way of spelling them is searched. The answer is exact but for expressions, small shares
 * and the bound of the work.
 */
export function findScalar(question: ScalarQuestion, work: Work): Answer<unknown> {
  work.spend(16)
  const pattern = contradicts(question) ? undefined : patternOf(question.pattern)
  if (pattern === undefined) return none
  const isMember = createJudge(question, work)
  // The empty text is outside all shares.
  if (!isShareOpen(question)) return isMember("") ? found("") : none
  const values = valuesOf(question, work)
  if (values === undefined || !fits(pattern, values)) return none
  work.spend(excludedBy(question) >> 2)
  const possible = { question, pattern, values, isMember }
  return isText(values) ? findText(possible, work) : findValue(possible, work)
}

/** A question in which no contradiction was found. */
type Possible = Pick<Spelled, "question" | "pattern" | "values" | "isMember">

function findText({ question, pattern, isMember }: Possible, work: Work): Answer<unknown> {
  return firstMember(texts(question, pattern), isMember, work) ?? unknown(doubtIn(question))
}

/** Finds a number, a version or a moment, or a text that stands for one. */
function findValue(possible: Possible, work: Work): Answer<unknown> {
  const { question, pattern, values, isMember } = possible
  const first = firstMember(likely(pattern, values), isMember, work)
  if (first !== undefined) return first
  const other = isMixed(question) ? undefined : firstMember(inManyWays(question, values), isMember, work)
  if (other !== undefined) return other
  const isElse = createJudge({ ...question, expression: { holds: [], fails: [] } }, work)
  const isRefused = (scalar: unknown) => isAsked(question.expression) && isElse(scalar)
  return findSpelled({ ...possible, isRefused, mostTexts: mostTexts(question) }, doubtIn(question), work)
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

/** Whether the scalar is compared in several ways, so that most ways to write its value may be wrong. */
function isMixed({ pattern, numbers, moments, versions }: ScalarQuestion): boolean {
  return [pattern, numbers, moments, versions].filter(isAsked).length > 1
}

/** Why it is not known whether there is a scalar that no candidate is. */
function doubtIn({ expression }: ScalarQuestion): Doubt {
  return isAsked(expression) ? "expression" : "bound"
}

/** Whether some expression must match and must not. */
function contradicts({ expression: { holds, fails } }: ScalarQuestion): boolean {
  return holds.some(({ source }) => fails.some((one) => one.source === source))
}

/** Whether some share is in all that hold and in none that fail. */
function isShareOpen({ share }: ScalarQuestion): boolean {
  const low = share.fails.reduce((most, { limit }) => Math.max(most, limit), 0)
  const high = share.holds.reduce((least, { limit }) => Math.min(least, limit), 2 ** 32 * 100)
  // Shares are whole numbers. This is the first whose hundredfold reaches `low`.
  let first = Math.max(0, Math.floor(low / 100) - 1)
  while (first * 100 < low) first++
  return first * 100 < high
}
