import { ignoringCase, withCase } from "../conditions/ignoring-case.ts"
import { negations } from "../conditions/negations.ts"
import { isText, type Names, textsOf } from "./clauses.ts"
import { anyOf, comparisonWords, patternVerbs } from "./comparison-words.ts"
import type { ParsedClause } from "./joined-clauses.ts"
import { joinPhrases, type Phrase, phrase } from "./phrase.ts"

/**
 * A comparison in words, with those of the same attribute that belong to it. Empty for one that another one's words
 * include.
 */
export function attributeWords(clause: ParsedClause, clauses: readonly ParsedClause[], names: Names): Phrase {
  const { parsed, holds } = clause
  const { attribute, operator } = parsed.condition
  const twins = clauses.filter(
    ({ parsed: { condition } }) =>
      condition.attribute === attribute && names.segmentOf(condition) === undefined,
  )
  if (twins.some((one) => isOnlyOtherCase(one, clause))) return []
  if (twins.some((one) => isOnlyOtherCase(clause, one)))
    return phrase`${comparisonWords({ ...parsed.condition, operator: withCase(operator) }, holds, names)} written in a different case`
  const isBlind = ignoresCase(clause)
  const suffix = isBlind ? [" (ignoring case)"] : []
  const alike = twins.filter((one) => ignoresCase(one) === isBlind)
  const others = alike.filter(isOtherThan)
  const asking = alike.filter((one) => one.holds && isPattern(one))
  const without = alike.filter((one) => verbOf(one) && one.holds !== isPattern(one))
  if (asking.length > 0 && [...asking, ...without, ...others].includes(clause))
    return clause === asking[0] ? [...patternWords(asking, without, others), ...suffix] : []
  if (others.length > 1 && isOtherThan(clause)) {
    if (clause !== others[0]) return []
    const isPresent = others.some((one) => one.holds)
    const all = { attribute, operator: isPresent ? "notIn" : "in", value: JSON.stringify(textsIn(others)) }
    return [...comparisonWords(all, isPresent, names), ...suffix]
  }
  if (!holds && isText(parsed.condition) && twins.some((one) => one.holds))
    return phrase`whose ${attribute} is not ${anyOf(textsOf(parsed.condition))}${suffix}`
  return comparisonWords(parsed.condition, holds, names)
}

/** Such as `whose p starts with 1 but not with 10`, for clauses about one attribute. */
function patternWords(
  asking: readonly ParsedClause[],
  without: readonly ParsedClause[],
  others: readonly ParsedClause[],
): Phrase {
  const [first] = asking
  const verb = asking.length === 1 && first ? verbOf(first) : undefined
  const isSame = (one: ParsedClause) => verb !== undefined && verbOf(one) === verb
  const same = without.filter(isSame)
  const is = asking.map((one) => phrase`${[verbOf(one)?.[0] ?? ""]} ${one.parsed.condition.value}`)
  const not = [
    ...(same.length > 0 ? [phrase`not ${[verb?.[2] ?? ""]}${anyOf(textsIn(same))}`] : []),
    ...without
      .filter((one) => !isSame(one))
      .map((one) => phrase`${[verbOf(one)?.[1] ?? ""]} ${one.parsed.condition.value}`),
    ...(others.length > 0 ? [phrase`is not ${anyOf(textsIn(others))}`] : []),
  ]
  const but = not.length > 0 ? phrase` but ${joinPhrases(not, " and ")}` : []
  return phrase`whose ${first?.parsed.condition.attribute ?? ""} ${joinPhrases(is, " and ")}${but}`
}

function ignoresCase({ parsed: { condition } }: ParsedClause): boolean {
  return withCase(condition.operator) !== condition.operator
}

/** Whether a clause is about a part of a string, and is no negation of that. */
function isPattern({ parsed: { condition } }: ParsedClause): boolean {
  return patternVerbs.has(withCase(condition.operator))
}

function verbOf({ parsed: { condition } }: ParsedClause) {
  const operator = withCase(condition.operator)
  return patternVerbs.get(negations.get(operator) ?? operator)
}

function textsIn(clauses: readonly ParsedClause[]): readonly string[] {
  return [...new Set(clauses.flatMap((one) => textsOf(one.parsed.condition)))]
}

/** Whether a clause excludes strings. */
function isOtherThan({ parsed: { condition }, holds }: ParsedClause): boolean {
  const operator = withCase(condition.operator)
  return holds ? /^not(Equals|In)$/.test(operator) : /^(equals|in)$/.test(operator)
}

/** Whether a clause ignores the case that the other one, which must not hold, is about. */
function isOnlyOtherCase(one: ParsedClause, other: ParsedClause): boolean {
  const [{ operator, value }, exact] = [one.parsed.condition, other.parsed.condition]
  return one.holds && !other.holds && operator === ignoringCase(exact.operator) && value === exact.value
}
