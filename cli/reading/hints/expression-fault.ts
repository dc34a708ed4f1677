import { largestExpression, longestExpression } from "../../../sdk/evaluation/expression-size.ts"
import type { Span } from "../../diagnostics/diagnostic.ts"
import { quoted } from "../../diagnostics/suggest.ts"
import { type ExpressionError, expressionError } from "../grammar/expression-error.ts"
import { type Construct, constructs, nothingToRepeat } from "./expression-constructs.ts"
import { placeOf } from "./expression-place.ts"

/** Why RE2 rejects an expression. */
export interface ExpressionFault {
  /** What follows "must be an RE2 expression", without a full stop. */
  readonly message: string
  /** The construct that RE2 does not know; `undefined` if it names none. */
  readonly part: Span | undefined
  readonly isTooLarge: boolean
}

/** Why RE2 rejects an expression, and where; `undefined` if it accepts it. */
export function expressionFault(expression: string): ExpressionFault | undefined {
  const error = expressionError(expression)
  return error && explain(expression, error)
}

function explain(expression: string, error: ExpressionError): ExpressionFault {
  const whole = { part: undefined, isTooLarge: error.length !== undefined || error.size !== undefined }
  if (error.length !== undefined) return { ...whole, message: lengthAdvice(error.length) }
  if (error.size !== undefined) return { ...whole, message: sizeAdvice(expression, error.size) }
  const start = placeOf(expression, error)
  const rest = start === undefined ? undefined : expression.slice(start)
  const construct = rest === undefined ? undefined : constructAt(rest, error)
  const [text] = (rest !== undefined && construct?.pattern.exec(rest)) || []
  if (start === undefined || construct === undefined || text === undefined)
    return { ...whole, message: `; RE2 says: ${error.description}${partWords(error)}` }
  const character = [...expression.slice(0, start)].length + 1
  const shown = text.length > longestShown ? `${text.slice(0, longestShown)}…` : text
  return {
    message: `: \`${shown}\` at character ${character} ${construct.fault}. ${construct.advice}`,
    part: { start, end: start + text.length },
    isTooLarge: false,
  }
}

function lengthAdvice(length: number): string {
  return ` of at most ${longestExpression} characters, but this one has ${length}. ${shorter}`
}

const shorter = "Compare whole strings using `in` with a list, or write several rules"

/** What makes an expression large, and what to write instead. */
function sizeAdvice(expression: string, size: number): string {
  const [first] = [...expression.matchAll(/\{(\d+)(?:,(\d*))?\}/g)]
    .map(({ 0: text, 1: least, 2: most }) => ({ text, copies: Number(most || least) }))
    .sort((one, other) => other.copies - one.copies)
  const advice =
    first === undefined || first.copies < 10
      ? shorter
      : `\`${first.text}\` stands for ${first.copies} copies of what it repeats. Write \`+\` or \`*\`, or a smaller number`
  return ` of at most ${largestExpression} instructions, but this one has ${size}. ${advice}`
}

function constructAt(rest: string, { description }: ExpressionError): Construct | undefined {
  if (description === "missing argument to repetition operator") return nothingToRepeat
  return constructs.find(({ pattern }) => pattern.test(rest))
}

function partWords({ fragment }: ExpressionError): string {
  return fragment === undefined ? "" : ` in ${quoted(fragment)}`
}

const longestShown = 30
