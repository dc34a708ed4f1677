import { printable } from "../diagnostics/printable.ts"
import type { Phrase } from "../diff/phrase.ts"
import { plainPhrase } from "../diff/phrase.ts"
import type { Answer, AnsweredRule } from "./answer.ts"
import { ruleSentence } from "./sentences.ts"

/** A line with the sentence and the deciding rule's place; with `--explain` one more for each rule. */
export function formatText(answer: Answer, isExplained: boolean): string {
  const { line, sentence, rules, deciding } = answer
  const prefix = line === undefined ? "" : `${line}: `
  const lines = [`${prefix}${withPlace(sentence, deciding)}`]
  if (isExplained)
    for (const rule of rules) lines.push(`  ${withPlace(ruleSentence(rule.explanation, rule.index), rule)}`)
  return `${lines.join("\n")}\n`
}

/** A rule that has no place in a file is named by its id. */
function withPlace(sentence: Phrase, rule: AnsweredRule | undefined): string {
  const text = plainPhrase(sentence)
  if (rule === undefined) return text
  const { file, line, explanation } = rule
  return `${text} (${file === undefined ? `id ${printable(explanation.ruleId)}` : `${printable(file)}:${line}`})`
}
