import { namesTexts, presenceAsked, textsOf } from "../language/comparisons.ts"
import { type Operator, operatorOf } from "../language/operators.ts"
import type { Names } from "./clauses.ts"
import { anyOf, caseWords, comparisonWords, exactWords, noneOfWords, oneOfWords } from "./comparison-words.ts"
import type { ParsedClause } from "./joined-clauses.ts"
import { joinPhrases, type Phrase, phrase } from "./phrase.ts"

/**
 * A comparison in words, with those of the same attribute that belong to it. Empty for one that another one's words
 * include.
 */
export function attributeWords(clause: ParsedClause, clauses: readonly ParsedClause[], names: Names): Phrase {
  const { parsed, holds } = clause
  const { condition } = parsed
  const operator = operatorOf(condition.operator)
  if (operator === undefined) return comparisonWords(condition, holds, names)
  const { attribute } = condition
  const { ignoresCase } = operator
  const twins = clauses.filter(
    ({ parsed }) =>
      parsed.condition.attribute === attribute && names.referenceOf(parsed.condition) === undefined,
  )
  if (twins.some((one) => isOnlyOtherCase(one, clause))) return []
  if (twins.some((one) => isOnlyOtherCase(clause, one)))
    return phrase`${exactWords(condition, operator, holds, names)} written in a different case`
  const alike = twins.filter((one) => operatorIn(one)?.ignoresCase === ignoresCase)
  const others = alike.filter(isOtherThan)
  const asking = alike.filter((one) => one.holds && patternIn(one) && !isNegation(one))
  const without = alike.filter((one) => patternIn(one) && one.holds === isNegation(one))
  if (asking.length > 0 && [...asking, ...without, ...others].includes(clause))
    return clause === asking[0]
      ? [...patternWords(attribute, { asking, without, others }), ...caseWords(ignoresCase)]
      : []
  if (others.length > 1 && isOtherThan(clause)) {
    if (clause !== others[0]) return []
    const texts = textsIn(others)
    const words = others.some((one) => one.holds)
      ? noneOfWords(attribute, texts, true)
      : oneOfWords(attribute, texts, false, names)
    return [...words, ...caseWords(ignoresCase)]
  }
  // Who has the attribute, but not these texts: one clause says both.
  const isPresence = (one: ParsedClause) => one.holds && presenceAsked(one.parsed.condition.operator) === true
  const excluded = twins.filter((one) => !one.holds && namesTexts(one.parsed.condition))
  if (excluded.length === 1 && twins.length === 2 && twins.some(isPresence))
    return isPresence(clause)
      ? []
      : [...noneOfWords(attribute, textsOf(condition), true), ...caseWords(ignoresCase)]
  if (!holds && namesTexts(condition) && twins.some((one) => one.holds))
    return phrase`whose ${attribute} is not ${anyOf(textsOf(condition))}${caseWords(ignoresCase)}`
  return comparisonWords(condition, holds, names)
}

/** Clauses about one attribute: what it must have, what it must not have, and the texts that it must not be. */
interface Patterns {
  readonly asking: readonly ParsedClause[]
  readonly without: readonly ParsedClause[]
  readonly others: readonly ParsedClause[]
}

/** Such as `whose p starts with 1 but not with 10`. */
function patternWords(attribute: string, { asking, without, others }: Patterns): Phrase {
  const [first] = asking
  const asked = asking.length === 1 && first ? patternIn(first) : undefined
  const isSame = (one: ParsedClause) => asked !== undefined && patternIn(one) === asked
  const same = without.filter(isSame)
  const wordsOf = (one: ParsedClause, verb: 0 | 1) =>
    phrase`${[patternIn(one)?.verbs[verb] ?? ""]} ${one.parsed.condition.value}`
  const not = [
    ...(same.length > 0 ? [phrase`not ${[asked?.butNot ?? ""]}${anyOf(textsIn(same))}`] : []),
    ...without.filter((one) => !isSame(one)).map((one) => wordsOf(one, 1)),
    ...(others.length > 0 ? [phrase`is not ${anyOf(textsIn(others))}`] : []),
  ]
  const but = not.length > 0 ? phrase` but ${joinPhrases(not, " and ")}` : []
  const is = asking.map((one) => wordsOf(one, 0))
  return phrase`whose ${attribute} ${joinPhrases(is, " and ")}${but}`
}

function operatorIn({ parsed }: ParsedClause): Operator | undefined {
  return operatorOf(parsed.condition.operator)
}

function isNegation(clause: ParsedClause): boolean {
  return operatorIn(clause)?.negates !== undefined
}

/** The question of a clause, or of what it negates, if that is about a part of a text. */
function patternIn(clause: ParsedClause) {
  const question = operatorIn(clause)?.question
  return question?.kind === "part" || question?.kind === "expression" ? question : undefined
}

function textsIn(clauses: readonly ParsedClause[]): readonly string[] {
  return [...new Set(clauses.flatMap((one) => textsOf(one.parsed.condition)))]
}

/** Whether a clause excludes texts. */
function isOtherThan(clause: ParsedClause): boolean {
  return operatorIn(clause)?.question.kind === "texts" && clause.holds === isNegation(clause)
}

/** Whether a clause ignores the case that the other one, which must not hold, is about. */
function isOnlyOtherCase(one: ParsedClause, other: ParsedClause): boolean {
  const [blind, exact] = [operatorIn(one), operatorIn(other)]
  return (
    one.holds &&
    !other.holds &&
    blind?.ignoresCase === true &&
    exact?.ignoresCase === false &&
    blind.name === exact.name &&
    one.parsed.condition.value === other.parsed.condition.value
  )
}
