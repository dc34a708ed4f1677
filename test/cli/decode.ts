import { shareOperator } from "../../cli/language/comparisons.ts"
import type { Comparison, Condition, Share } from "../../cli/language/condition.ts"
import { operatorOf } from "../../cli/language/operators.ts"
import {
  type Condition as Encoded,
  type ParsedCondition,
  parseCondition,
} from "../../sdk/evaluation/condition.ts"
import { shareIn } from "../../sdk/evaluation/operators.ts"
import { parseTexts } from "../../sdk/evaluation/text-lists.ts"

/**
 * The condition that was encoded, without names and places. `undefined` if no SDK can read one of its groups. An operand
 * that its operator cannot read, and a list of a project's own operator, stay a string. `key`: the flag's; a share that has it as
 * its seed then has none.
 */
export function decode(encoded: Encoded, key?: string): Condition | undefined {
  return decodeParsed(parseCondition(encoded), key)
}

function decodeParsed(parsed: ParsedCondition, key: string | undefined): Condition | undefined {
  if (parsed.kind === "unreadable") return undefined
  if (parsed.kind === "comparison")
    return decodeShare(parsed.condition, key) ?? decodeComparison(parsed.condition)
  // no part of a group that was read is unreadable
  return { kind: parsed.kind, parts: parsed.parts.flatMap((part) => decodeParsed(part, key) ?? []) }
}

function decodeShare({ attribute, operator, value }: Encoded, key: string | undefined): Share | undefined {
  const range = shareIn(operator, value, "")
  if (range === undefined) return undefined
  const isPercentage = operator === shareOperator
  const [from, to] = [range.from / 2 ** 32, range.to / 2 ** 32]
  const seed = isPercentage || range.seed === key ? undefined : range.seed
  const hasText = isPercentage && value !== String(to)
  return { kind: "share", by: attribute, from, to, seed, ...(hasText && { text: value }) }
}

function decodeComparison({ attribute, operator: sent, value }: Encoded): Comparison {
  const { name = sent, question, ignoresCase = false } = operatorOf(sent) ?? {}
  const list = question?.kind === "texts" && question.isList ? parseTexts(value) : undefined
  return {
    kind: "comparison",
    attribute,
    operator: name,
    operand: list ?? value,
    ...(ignoresCase && { ignoreCase: true }),
  }
}
