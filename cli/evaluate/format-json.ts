import type { ConditionExplanation } from "../../sdk/evaluation/evaluator.ts"
import { plainPhrase } from "../diagnostics/phrase.ts"
import { printableJson } from "../diagnostics/printable.ts"
import type { AnsweredCondition, AnsweredRule, FlagAnswer } from "./answer.ts"
import { conditionSentence, ruleSentence } from "./sentences.ts"

/**
 * One line of JSON. `value` is absent if it cannot be known; `rule` is null if none decided; `file` and `line` of a rule
 * are absent in a publication; `matches` is null if it cannot be known. `--explain` adds `rules`, with `conditions` if a rule
 * or a condition is a group, and `links` if the flag has any. `revision` is there only for a commit or a publication.
 */
export function formatJson(answer: FlagAnswer, isExplained: boolean): string {
  return jsonLine(toJson(answer, isExplained))
}

/** A value as a line of JSON that a terminal can print. */
export function jsonLine(value: object): string {
  return `${printableJson(JSON.stringify(value))}\n`
}

/** The members of that line. */
export function toJson(answer: FlagAnswer, isExplained: boolean): object {
  const { line: context, environment, revision, evaluation, sentence, rules, deciding, links } = answer
  return {
    context,
    key: evaluation.key,
    environment,
    revision,
    value: evaluation.kind === "evaluated" ? evaluation.value : undefined,
    cause: evaluation.kind === "evaluated" ? evaluation.cause : evaluation.kind,
    rule: deciding === undefined ? null : ruleOf(deciding),
    sentence: plainPhrase(sentence),
    rules: isExplained
      ? rules.map((rule) => ({
          ...ruleOf(rule),
          matches: knownTruth(rule.explanation.condition),
          isReached: rule.explanation.isReached,
          sentence: plainPhrase(ruleSentence(rule.explanation, rule.index)),
          conditions: conditionsOf(rule),
        }))
      : undefined,
    links: isExplained && links.length > 0 ? links : undefined,
  }
}

function ruleOf({ index, explanation, file, line }: AnsweredRule) {
  return { number: index + 1, id: explanation.ruleId, file, line }
}

/** `undefined` for a condition that is not a group. */
function conditionsOf({ conditions }: AnsweredRule | AnsweredCondition): readonly object[] | undefined {
  const parts = conditions()
  if (parts.length === 0) return undefined
  return parts.map((part) => ({
    number: part.index + 1,
    file: part.file,
    line: part.line,
    matches: knownTruth(part.explanation),
    sentence: plainPhrase(conditionSentence(part.explanation, part.group, part.index)),
    conditions: conditionsOf(part),
  }))
}

function knownTruth({ truth }: ConditionExplanation): boolean | null {
  return truth === "unknown" ? null : truth
}
