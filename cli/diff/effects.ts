import type { Rule } from "../../proxy/contract/snapshot.ts"
import type { Condition } from "../../sdk/evaluation/condition.ts"
import type { RuleEdited, RuleMoved } from "./change.ts"
import type { Comparison } from "./comparison.ts"
import { excludes, listOf, neverMatches, sameCondition } from "./condition.ts"
import { type EffectiveRules, outcomes, sameRule, sameValue } from "./effective-rules.ts"
import { type Phrase, phrase } from "./phrase.ts"
import { subjectOf, valueWords, verbOf } from "./words.ts"

// Who gets another value. Every sentence compares the final values of both sides, so it is true however many changes
// there are; where that is not certain it says "may".

/** Beyond this number of sentences about one change, the rest is counted. */
const mostSentences = 6

/** Who gets another value in the environment, whatever changed. */
export function everyEffect(comparison: Comparison): readonly Phrase[] {
  const { environment, before, after } = comparison
  if (comparison.isSame) return []
  if (
    after.rules.length === 0 &&
    !outcomes(before, "anybody").some((value) => sameValue(value, after.otherwise))
  )
    return otherwiseEffect(comparison)
  const rules = [
    ...after.rules,
    ...before.rules.filter((rule) => !after.rules.some((another) => sameCondition(rule, another))),
  ]
  const sentences = [
    ...rules.flatMap((rule) => conditionEffect(comparison, rule)),
    ...otherwiseEffect(comparison),
  ]
  return sentences.length === 0
    ? [phrase`some contexts in ${environment} may get another value`]
    : atMost(sentences)
}

function atMost(sentences: readonly Phrase[]): readonly Phrase[] {
  const more = sentences.length - mostSentences + 1
  return more < 2
    ? sentences
    : [...sentences.slice(0, mostSentences - 1), phrase`${more} more groups of contexts get another value`]
}

/** Who gets another value without matching any rule. */
export function otherwiseEffect({ environment, before, after }: Comparison): readonly Phrase[] {
  if (sameValue(before.otherwise, after.otherwise)) return []
  const valueAfter = valueWords(after.otherwise)
  const valueBefore = valueWords(before.otherwise)
  if (before.rules.length === 0 && after.rules.length === 0)
    return [phrase`everyone in ${environment} now gets ${valueAfter} instead of ${valueBefore}`]
  if (after.rules.length === 0) return [phrase`everyone in ${environment} now gets ${valueAfter}`]
  return [
    phrase`everyone in ${environment} whom no rule matches now gets ${valueAfter} instead of ${valueBefore}`,
  ]
}

/** What changes for the contexts that match the condition. */
export function conditionEffect(comparison: Comparison, condition: Condition): readonly Phrase[] {
  if (neverMatches(condition)) return []
  if (condition.operator === "always") return otherwiseEffect(comparison)
  const { before, after } = comparison
  // The rules that both sides begin with decide the same on both.
  let same = 0
  while (same < before.rules.length && sameRule(ruleAt(before, same), ruleAt(after, same))) same++
  const shared = before.rules.slice(0, same)
  const outcomesBefore = outcomes({ ...before, rules: before.rules.slice(same) }, condition)
  const outcomesAfter = outcomes({ ...after, rules: after.rules.slice(same) }, condition)
  const unless = shared.some((rule) => !excludes(rule, condition))
    ? phrase` unless an earlier rule matches them`
    : phrase``
  const subject = phrase`${subjectOf(condition)} `
  const onlyBefore = outcomesBefore.length === 1 ? outcomesBefore[0] : undefined
  const onlyAfter = outcomesAfter.length === 1 ? outcomesAfter[0] : undefined
  if (onlyAfter !== undefined) {
    if (sameValue(onlyBefore, onlyAfter)) return []
    const instead = onlyBefore === undefined ? phrase`` : phrase` instead of ${valueWords(onlyBefore)}`
    return [phrase`${subject}${verbOf(condition)} ${valueWords(onlyAfter)}${instead}${unless}`]
  }
  if (shared.some((rule) => sameCondition(rule, condition))) return []
  return onlyBefore === undefined
    ? [phrase`${subject}may now get another value${unless}`]
    : [phrase`${subject}may now get a value other than ${valueWords(onlyBefore)}${unless}`]
}

/** What changes for the contexts that an edited rule matched or matches now. */
export function editEffect(comparison: Comparison, { before, after }: RuleEdited): readonly Phrase[] {
  const both = [before, after]
  const sameResult = before.attribute === after.attribute && sameValue(before.returnValue, after.returnValue)
  if (sameResult && both.every(({ operator }) => operator === "percentage"))
    return shareEffect(comparison, before, after)
  if (sameResult && both.every(({ operator }) => operator === "in")) {
    const [itemsBefore, itemsAfter] = [listOf(before), listOf(after)]
    const added = itemsAfter.filter((item) => !itemsBefore.includes(item))
    const removed = itemsBefore.filter((item) => !itemsAfter.includes(item))
    return [...listEffect(comparison, after, added), ...listEffect(comparison, before, removed)]
  }
  if (sameCondition(before, after)) return conditionEffect(comparison, after)
  return [...conditionEffect(comparison, after), ...conditionEffect(comparison, before)]
}

function shareEffect(comparison: Comparison, before: Rule, after: Rule): readonly Phrase[] {
  const decides = ({ rules }: EffectiveRules, rule: Rule) =>
    neverMatches(rule) || rules.some((another) => sameRule(another, rule))
  // The two shares are comparable only where both sides give them: a side may be disabled.
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

/** Which contexts a rule decides for now, or no longer does, because it was moved. */
export function moveEffect(
  { before, after, reorderings }: Comparison,
  { rule }: RuleMoved,
): readonly Phrase[] {
  const isFirst = ({ reachable: [first] }: EffectiveRules, one: Rule) =>
    first !== undefined && sameRule(first, one)
  const own = reorderings.filter((pair) => sameRule(pair.before, rule) || sameRule(pair.after, rule))
  return atMost(
    own.map((pair) => {
      const unless =
        isFirst(after, pair.after) && isFirst(before, pair.before) ? "" : " unless an earlier rule matches"
      const both = subjectOf(pair.after, pair.before)
      return phrase`${both} now get ${valueWords(pair.after.returnValue)} instead of ${valueWords(pair.before.returnValue)}${[unless]}`
    }),
  )
}

function ruleAt({ rules }: EffectiveRules, index: number): Rule {
  return rules[index] ?? noRule
}

/** Equal to no rule, because no rule has an empty operator. */
const noRule: Rule = { id: "", attribute: "", operator: "", value: "", returnValue: null }
