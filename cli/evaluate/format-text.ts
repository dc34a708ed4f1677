import { printable } from "../diagnostics/printable.ts"
import type { AnsweredCondition, FlagAnswer, RulePlace } from "./answer.ts"

/**
 * A line with the sentence and the deciding rule's place; if explained, one more for each rule, and for each condition in
 * its groups.
 */
export function formatText(answer: FlagAnswer): string {
  const { context, ramps = [], rules = [], links = [] } = answer
  const prefix = context === undefined ? "" : `${context}: `
  const lines = [
    `${prefix}${withPlace(answer.sentence, answer.rule)}`,
    ...ramps.map(({ sentence }) => `  ${sentence}`),
    ...rules.flatMap((rule) => [
      `  ${withPlace(rule.sentence, rule)}`,
      ...conditionLines(rule.conditions, "    "),
    ]),
    ...links.map(
      ({ title, url }) => `  see ${title === url ? "" : `${printable(title)}: `}${printable(url)}`,
    ),
  ]
  return `${lines.join("\n")}\n`
}

function conditionLines(conditions: AnsweredCondition["conditions"] = [], indent: string): readonly string[] {
  return conditions.flatMap(({ sentence, file, line, conditions }) => {
    const place = file === undefined ? "" : ` (${printable(file)}:${line})`
    return [`${indent}${sentence}${place}`, ...conditionLines(conditions, `${indent}  `)]
  })
}

/** A sentence with the place of the rule that it is about, if that is in a file. */
export function withPlace(sentence: string, rule: RulePlace | null): string {
  if (rule?.file === undefined) return sentence
  return `${sentence} (${printable(rule.file)}:${rule.line})`
}
