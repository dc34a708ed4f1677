import { printableJson } from "../diagnostics/printable.ts"
import { plainPhrase } from "../diff/phrase.ts"
import type { Answer, AnsweredRule } from "./answer.ts"
import { ruleSentence } from "./sentences.ts"

/**
 * One line of JSON. `value` is absent where it cannot be known; `rule` is null where none decided; `file` and `line` of
 * a rule are absent in a snapshot; `matches` is null where it cannot be known. `rules` is there with `--explain`.
 */
export function formatJson(answer: Answer, isExplained: boolean): string {
  const { line: context, environment, evaluation, sentence, rules, deciding } = answer
  const object = {
    context,
    key: evaluation.key,
    environment,
    value: evaluation.kind === "evaluated" ? evaluation.value : undefined,
    cause: evaluation.kind === "evaluated" ? evaluation.cause : evaluation.kind,
    rule: deciding === undefined ? null : ruleOf(deciding),
    sentence: plainPhrase(sentence),
    rules: isExplained
      ? rules.map((rule) => ({
          ...ruleOf(rule),
          matches: rule.explanation.condition.truth === "unknown" ? null : rule.explanation.condition.truth,
          isReached: rule.explanation.isReached,
          sentence: plainPhrase(ruleSentence(rule.explanation, rule.index)),
        }))
      : undefined,
  }
  return `${printableJson(JSON.stringify(object))}\n`
}

function ruleOf({ index, explanation, file, line }: AnsweredRule) {
  return { number: index + 1, id: explanation.ruleId, file, line }
}
