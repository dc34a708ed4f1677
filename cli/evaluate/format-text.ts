import { type Phrase, plainPhrase } from "../diagnostics/phrase.ts"
import { printable } from "../diagnostics/printable.ts"
import type { AnsweredCondition, AnsweredRule, FlagAnswer } from "./answer.ts"
import { conditionSentence, ruleSentence } from "./sentences.ts"

/**
 * A line with the sentence and the deciding rule's place; with `--explain`, one more for each rule, and for each condition
 * in its groups.
 */
export function formatText(answer: FlagAnswer, isExplained: boolean): string {
  const { line, sentence, rules, deciding, links } = answer
  const prefix = line === undefined ? "" : `${line}: `
  const lines = [`${prefix}${withPlace(sentence, deciding)}`]
  if (isExplained)
    for (const rule of rules)
      lines.push(
        `  ${withPlace(ruleSentence(rule.explanation, rule.index), rule)}`,
        ...rule.conditions().flatMap((condition) => conditionLines(condition, "    ")),
      )
  if (isExplained)
    for (const { title, url } of links)
      lines.push(`  see ${title === url ? "" : `${printable(title)}: `}${printable(url)}`)
  return `${lines.join("\n")}\n`
}

function conditionLines(condition: AnsweredCondition, indent: string): readonly string[] {
  const { explanation, group, index, file, line } = condition
  const place = file === undefined ? "" : ` (${printable(file)}:${line})`
  const inner = condition.conditions().flatMap((part) => conditionLines(part, `${indent}  `))
  return [`${indent}${plainPhrase(conditionSentence(explanation, group, index))}${place}`, ...inner]
}

/** A sentence with the place of the rule that it is about. A rule that has none in a file is named by its id. */
export function withPlace(sentence: Phrase, rule: AnsweredRule | undefined): string {
  const text = plainPhrase(sentence)
  if (rule === undefined) return text
  const { file, line, explanation } = rule
  return `${text} (${file === undefined ? `id ${printable(explanation.ruleId)}` : `${printable(file)}:${line}`})`
}
