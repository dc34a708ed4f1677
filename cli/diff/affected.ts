import type { Rule } from "../../proxy/contract/snapshot.ts"
import type { RuleEdited, RuleMoved } from "./change.ts"
import { type Condition, excludes, listOf, neverMatches, sameCondition } from "./condition.ts"
import { conflicts, type Decision, outcomes, sameDecision, sameRule, sameValue } from "./decision.ts"
import { type Phrase, phrase } from "./phrase.ts"
import { subjectOf, valueWords, verbOf } from "./words.ts"

// Who gets another value. Every sentence compares what both sides give in the end, so that it is true however many
// changes there are; where that is not certain it says "may".

/** A configuration on both sides. */
export interface Comparison {
  readonly environment: string
  readonly before: Decision
  readonly after: Decision
}

/** More sentences than this about one change are counted, not said. */
const mostSentences = 6

/** Who gets another value in the environment, by whatever change. */
export function everyEffect(comparison: Comparison): readonly Phrase[] {
  const { environment, before, after } = comparison
  if (sameDecision(before, after)) return []
  if (
    after.rules.length === 0 &&
    !outcomes(before, "anybody").some((value) => sameValue(value, after.otherwise))
  )
    return otherwiseEffect(comparison)
  const rules = [
    ...after.rules,
    ...before.rules.filter((rule) => !after.rules.some((other) => sameCondition(rule, other))),
  ]
  const sentences = [
    ...rules.flatMap((rule) => conditionEffect(comparison, rule)),
    ...otherwiseEffect(comparison),
  ]
  if (sentences.length === 0) return [phrase`some contexts in ${environment} may get another value`]
  const more = sentences.length - mostSentences + 1
  return more < 2
    ? sentences
    : [...sentences.slice(0, mostSentences - 1), phrase`${more} more groups of contexts get another value`]
}

/** Who gets another value though no rule matches them. */
export function otherwiseEffect({ environment, before, after }: Comparison): readonly Phrase[] {
  if (sameValue(before.otherwise, after.otherwise)) return []
  const now = valueWords(after.otherwise)
  const was = valueWords(before.otherwise)
  if (before.rules.length === 0 && after.rules.length === 0)
    return [phrase`everyone in ${environment} now gets ${now} instead of ${was}`]
  if (after.rules.length === 0) return [phrase`everyone in ${environment} now gets ${now}`]
  return [phrase`everyone in ${environment} whom no rule matches now gets ${now} instead of ${was}`]
}

/** What becomes of the contexts that match the condition. */
export function conditionEffect(
  { environment, before, after }: Comparison,
  condition: Condition,
): readonly Phrase[] {
  if (neverMatches(condition)) return []
  if (condition.operator === "always") return otherwiseEffect({ environment, before, after })
  // Rules that both sides begin with decide the same on both.
  let same = 0
  while (same < before.rules.length && sameRule(ruleAt(before, same), ruleAt(after, same))) same++
  const shared = before.rules.slice(0, same)
  const was = outcomes({ ...before, rules: before.rules.slice(same) }, condition)
  const now = outcomes({ ...after, rules: after.rules.slice(same) }, condition)
  const unless = shared.some((rule) => !excludes(rule, condition))
    ? phrase` unless an earlier rule matches them`
    : phrase``
  const subject = phrase`${subjectOf(condition)} `
  const [onlyWas, anotherWas] = was
  const [onlyNow, anotherNow] = now
  const sureWas = anotherWas === undefined && onlyWas !== undefined
  const sureNow = anotherNow === undefined && onlyNow !== undefined
  if (sureNow) {
    if (sureWas && sameValue(onlyWas, onlyNow)) return []
    const instead = sureWas ? phrase` instead of ${valueWords(onlyWas)}` : phrase``
    return [phrase`${subject}${verbOf(condition)} ${valueWords(onlyNow)}${instead}${unless}`]
  }
  if (shared.some((rule) => sameCondition(rule, condition))) return []
  return sureWas
    ? [phrase`${subject}may now get another value than ${valueWords(onlyWas)}${unless}`]
    : [phrase`${subject}may now get another value${unless}`]
}

/** What becomes of the contexts that an edited rule matched or matches. */
export function editEffect(comparison: Comparison, { before, after }: RuleEdited): readonly Phrase[] {
  const both = [before, after]
  const sameResult = before.attribute === after.attribute && sameValue(before.returnValue, after.returnValue)
  if (sameResult && both.every(({ operator }) => operator === "percentage"))
    return shareEffect(comparison, before, after)
  if (sameResult && both.every(({ operator }) => operator === "in")) {
    const [olds, news] = [listOf(before), listOf(after)]
    return [
      ...listEffect(
        comparison,
        after,
        news.filter((item) => !olds.includes(item)),
      ),
      ...listEffect(
        comparison,
        before,
        olds.filter((item) => !news.includes(item)),
      ),
    ]
  }
  if (sameCondition(before, after)) return conditionEffect(comparison, after)
  return [...conditionEffect(comparison, after), ...conditionEffect(comparison, before)]
}

function shareEffect(comparison: Comparison, before: Rule, after: Rule): readonly Phrase[] {
  const decides = (decision: Decision, rule: Rule) =>
    neverMatches(rule) || decision.rules.some((other) => sameRule(other, rule))
  // Nested shares are compared only where both sides give them; a side may be disabled.
  if (!decides(comparison.before, before) || !decides(comparison.after, after))
    return [...conditionEffect(comparison, after), ...conditionEffect(comparison, before)]
  if (sameCondition(before, after)) return []
  const way = Number(before.value) < Number(after.value) ? "rises" : "falls"
  const unless =
    comparison.after.rules.findIndex((rule) => sameRule(rule, after)) > 0
      ? ", unless an earlier rule matches,"
      : ""
  return [
    phrase`the share of contexts by ${after.attribute} that get ${valueWords(after.returnValue)}${[unless]} ${[way]} from ${before.value} % to ${after.value} %`,
  ]
}

function listEffect(comparison: Comparison, rule: Rule, items: readonly string[]): readonly Phrase[] {
  return items.length === 0 ? [] : conditionEffect(comparison, { ...rule, value: JSON.stringify(items) })
}

/** Which contexts a rule decides for now, or no more, because it stands elsewhere. */
export function moveEffect(comparison: Comparison, { rule }: RuleMoved): readonly Phrase[] {
  const overtaken = overtakings(comparison).filter((pair) => pair.some((one) => sameRule(one, rule)))
  const first = ({ reachable: [top] }: Decision, rule: Rule) => top !== undefined && sameRule(top, rule)
  const sentences = overtaken.map(([now, was]) => {
    const unless =
      first(comparison.after, now) && first(comparison.before, was) ? "" : " unless an earlier rule matches"
    const both = phrase`whoever is among ${subjectOf(now)} and among ${subjectOf(was)}`
    return phrase`${both} now gets ${valueWords(now.returnValue)} instead of ${valueWords(was.returnValue)}${[unless]}`
  })
  const more = sentences.length - mostSentences + 1
  return more < 2
    ? sentences
    : [...sentences.slice(0, mostSentences - 1), phrase`${more} more groups of contexts get another value`]
}

/** The pairs of rules whose order is turned round and matters; the first of each pair is now the first. */
export function overtakings({ before, after }: Comparison): readonly (readonly [now: Rule, was: Rule])[] {
  return conflicts(
    after.reachable,
    after.reachable.map((rule) => before.reachable.findIndex((other) => sameRule(rule, other))),
  )
}

function ruleAt({ rules }: Decision, index: number): Rule {
  return rules[index] ?? nowhere
}

/** Equal to no rule: no rule has an empty operator. */
const nowhere: Rule = { id: "", attribute: "", operator: "", value: "", returnValue: null }
