import type { Clause, Term } from "../conditions/clause.ts"
import { joinPhrases, type Phrase, phrase } from "../diagnostics/phrase.ts"
import { type Comparison, operandText, presenceIn } from "../language/condition.ts"
import { operators } from "../language/operators.ts"
import { namesTexts, textsOf } from "../language/texts.ts"
import { anyOf, caseWords, comparisonWords, noneOfWords, oneOfWords, type Place } from "./comparison-words.ts"

interface ComparisonClause extends Clause {
  readonly condition: Comparison
}

/** Whether a clause is about one attribute. */
export function isComparison(clause: Clause): clause is ComparisonClause {
  return clause.condition.kind === "comparison"
}

/**
 * A comparison in words, with those of the same attribute that belong to it. Empty for one that another one's words
 * include.
 */
export function attributeWords(clause: ComparisonClause, clauses: Term, place: Place): Phrase {
  const { condition, holds } = clause
  const { attribute } = condition
  const twins = clauses.filter(
    (twin): twin is ComparisonClause => isComparison(twin) && twin.condition.attribute === attribute,
  )
  const alike = twins.filter((twin) => twin.condition.ignoreCase === condition.ignoreCase)
  return (
    patternsWords(clause, alike) ??
    textsWords(clause, twins, alike, place) ??
    comparisonWords(condition, holds, place)
  )
}

/** What an attribute's parts must be and must not be, if the clause is about that; `undefined` for any other. */
function patternsWords(clause: ComparisonClause, alike: readonly ComparisonClause[]): Phrase | undefined {
  const asking = alike.filter((twin) => twin.holds && patternIn(twin) && !isNegation(twin))
  const without = alike.filter((twin) => patternIn(twin) && twin.holds === isNegation(twin))
  const others = alike.filter(isOtherThan)
  if (asking.length === 0 || ![...asking, ...without, ...others].includes(clause)) return undefined
  return clause === asking[0]
    ? [...patternWords({ asking, without, others }), ...caseWords(clause.condition)]
    : []
}

/** Which texts an attribute must not be, if the clause is about that; `undefined` for any other. */
function textsWords(
  clause: ComparisonClause,
  twins: readonly ComparisonClause[],
  alike: readonly ComparisonClause[],
  place: Place,
): Phrase | undefined {
  const { condition, holds } = clause
  const { attribute } = condition
  const others = alike.filter(isOtherThan)
  if (others.length > 1 && isOtherThan(clause)) {
    if (clause !== others[0]) return []
    const texts = textsIn(others)
    const words = others.some((other) => other.holds)
      ? noneOfWords(attribute, texts, true)
      : oneOfWords(attribute, texts, false, place)
    return [...words, ...caseWords(condition)]
  }
  // Who has the attribute, but not these texts: one clause says both.
  const isPresence = (twin: ComparisonClause) => twin.holds && presenceIn(twin.condition) === true
  const excluded = twins.filter((twin) => !twin.holds && namesTexts(twin.condition))
  if (excluded.length === 1 && twins.length === 2 && twins.some(isPresence))
    return isPresence(clause)
      ? []
      : [...noneOfWords(attribute, textsOf(condition), true), ...caseWords(condition)]
  if (!holds && namesTexts(condition) && twins.some((twin) => twin.holds))
    return phrase`whose ${attribute} is not ${anyOf(textsOf(condition))}${caseWords(condition)}`
  return undefined
}

/** Clauses about one attribute: what it must have, what it must not have, and the texts that it must not be. */
interface Patterns {
  readonly asking: readonly ComparisonClause[]
  readonly without: readonly ComparisonClause[]
  readonly others: readonly ComparisonClause[]
}

/** Such as `whose p starts with 1 but not with 10`. */
function patternWords({ asking, without, others }: Patterns): Phrase {
  const [first] = asking
  const [asked, ...more] = new Set(asking.map(patternIn))
  const isSame = (clause: ComparisonClause) => more.length === 0 && patternIn(clause) === asked
  const same = without.filter(isSame)
  const wordsOf = (clause: ComparisonClause, verb: 0 | 1) =>
    phrase`${[patternIn(clause)?.verbs[verb] ?? ""]} ${operandText(clause.condition)}`
  const not = [
    ...(same.length > 0 ? [phrase`not ${[asked?.butNot ?? ""]}${anyOf(textsIn(same))}`] : []),
    ...without.filter((clause) => !isSame(clause)).map((clause) => wordsOf(clause, 1)),
    ...(others.length > 0 ? [phrase`is not ${anyOf(textsIn(others))}`] : []),
  ]
  const but = not.length > 0 ? phrase` but ${joinPhrases(not, " and ")}` : []
  const is = asking.map((clause) =>
    clause !== first && isSame(clause) ? phrase`${operandText(clause.condition)}` : wordsOf(clause, 0),
  )
  return phrase`whose ${first?.condition.attribute ?? ""} ${joinPhrases(is, " and ")}${but}`
}

function isNegation({ condition }: ComparisonClause): boolean {
  return operators.get(condition.operator)?.negates !== undefined
}

/** The question of a clause, or of what it negates, if that is about a part of a text. */
function patternIn({ condition }: ComparisonClause) {
  const question = operators.get(condition.operator)?.question
  return question?.kind === "part" || question?.kind === "expression" ? question : undefined
}

function textsIn(clauses: readonly ComparisonClause[]): readonly string[] {
  return [...new Set(clauses.flatMap(({ condition }) => textsOf(condition)))]
}

/** Whether a clause excludes texts. */
function isOtherThan(clause: ComparisonClause): boolean {
  const question = operators.get(clause.condition.operator)?.question
  return question?.kind === "texts" && clause.holds === isNegation(clause)
}
