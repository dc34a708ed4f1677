import { findSpelled } from "./acceptors/find-spelled.ts"
import { type Answer, found, none, unknown } from "./answer.ts"
import { inManyWays, likely, texts } from "./candidates.ts"
import { patternOf } from "./patterns.ts"
import { createJudge, type ScalarQuestion } from "./scalar-question.ts"
import { fits, valuesOf } from "./scalar-values.ts"
import type { Work } from "./work.ts"

/** How many spellings are tried where an expression or a share decides. */
const mostExpressions = 50
const mostShares = 10_000

/**
 * Finds a scalar that answers a question without texts to choose from, which `guess.ts` answers. It looks for a reason why
 * there is none, then constructs candidates, which the SDK judges. If none of them is a member, and numbers, versions or
 * moments are asked for, every way of spelling them is searched. The answer is exact but for expressions, small shares
 * and the bound of the work.
 */
export function findScalar(question: ScalarQuestion, work: Work): Answer<unknown> {
  work.spend(16)
  const isMember = createJudge(question, work)
  if (contradicts(question)) return none
  const pattern = patternOf(question.pattern)
  if (pattern === undefined) return none
  // The empty text is outside all shares.
  if (!isShareOpen(question)) return isMember("") ? found("") : none
  const values = valuesOf(question, work)
  if (values === undefined || !fits(pattern, values)) return none
  const excluded = question.texts.fails.reduce((sum, { texts }) => sum + texts.length, 0)
  work.spend(excluded >> 2)
  const isText = values.numbers === undefined && values.versions === undefined && values.moments === undefined
  const first = firstMember(isText ? texts(question, pattern) : likely(pattern, values), isMember, work)
  const { holds, fails } = question.expression
  const hasExpression = holds.length + fails.length > 0
  const doubt = hasExpression ? "expression" : "bound"
  if (first !== undefined) return first
  if (isText) return unknown(doubt)
  const other = isMixed(question) ? undefined : firstMember(inManyWays(question, values), isMember, work)
  if (other !== undefined) return other
  const mostTexts = (hasExpression ? mostExpressions : mostShares) + excluded
  const fitsElse = createJudge({ ...question, expression: { holds: [], fails: [] } }, work)
  const isRefused = (scalar: unknown) => hasExpression && fitsElse(scalar)
  return findSpelled({ question, pattern, values, isMember, isRefused, mostTexts }, doubt, work)
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
  const kinds = [pattern, numbers, moments, versions]
  return kinds.filter(({ holds, fails }) => holds.length + fails.length > 0).length > 1
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
