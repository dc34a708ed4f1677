import { decimalGrammar, numberOf } from "../../../sdk/evaluation/decimal.ts"
import { momentGrammar, parseMoment } from "../../../sdk/evaluation/moment.ts"
import { parsePercentage } from "../../../sdk/evaluation/share-range.ts"
import { parseTexts } from "../../../sdk/evaluation/text-lists.ts"
import { parseVersionOperand, versionGrammar } from "../../../sdk/evaluation/version.ts"
import type { Operand, OperandForm } from "../../language/operators.ts"
import { expressionError } from "./expression-error.ts"

/** Whether an evaluator can read what is sent for a rule's `value`, which is JSON if it is a list. */
export function canRead({ operand, takesList }: OperandForm, text: string): boolean {
  if (!takesList) return isReadable(operand, text)
  return parseTexts(text)?.every((item) => isReadable(operand, item)) ?? false
}

/** Whether an evaluator can read an operand's text. The grammars are the evaluator's own. */
export function isReadable(operand: Operand, text: string): boolean {
  switch (operand) {
    case "expression":
      return expressionError(text) === undefined
    case "number":
      return numberOf(text) !== undefined
    case "version":
      return parseVersionOperand(text) !== undefined
    case "date":
      return parseMoment(text) !== undefined
    case "percent":
      return parsePercentage(text, "") !== undefined
    case "text":
    case "nothing":
      return true
  }
}

/** The form that a rule's `value` must have, as the end of "The value …". */
export function formWords({ operand, takesList }: OperandForm): string {
  if (!takesList) return operandForms[operand]
  const each = operand === "text" ? "" : `, each of which ${operandForms[operand]}`
  return `must be a list of strings, such as ["a", "b"]${each}`
}

/** The form that an operand must have, as the end of "The value …". */
export const operandForms: Readonly<Record<Operand, string>> = {
  nothing: "must be absent",
  text: "must be text",
  expression: "must be an RE2 expression",
  number: 'must be a decimal number, such as "42" or "0.5"',
  version: 'must be a version: dotted numbers, such as "1.10" or "2.*"',
  date: 'must be an RFC 3339 date, such as "2026-11-21" or "2026-11-21T10:00:00Z"',
  percent: 'must be a percentage from "0" to "100"',
}

/** What a JSON Schema can express about a list in its wire format: a JSON array. */
export const listPattern = "^\\s*\\[[\\s\\S]*\\]\\s*$"

/** What a JSON Schema can express about an operand's text; `undefined` if any text is allowed. */
export const operandPatterns: Readonly<Record<Operand, string | undefined>> = {
  nothing: undefined,
  text: undefined,
  expression: undefined,
  number: decimalGrammar.source,
  version: versionGrammar.source,
  date: momentGrammar.source,
  percent: "^0*(100(\\.0+)?|\\d{1,2}(\\.\\d+)?)$",
}
