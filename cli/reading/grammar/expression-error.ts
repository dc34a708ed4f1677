import { expressionSize, largestExpression } from "../../../sdk/evaluation/expression-size.ts"
import { foreignProperty } from "../../../sdk/evaluation/foreign-property.ts"
import { loadEngine } from "../../language/expression-engine.ts"
import { isPlainExpression } from "./plain-expression.ts"

/** RE2's message about an expression that it rejects. */
export interface ExpressionError {
  readonly description: string
  /** The part that RE2 rejects, or the whole expression; `undefined` if it names none. */
  readonly fragment: string | undefined
  /** In RE2's instructions; present if there are too many. */
  readonly size?: number
  /** In code points; present if there are too many. */
  readonly length?: number
}

/** Why RE2 rejects an expression; `undefined` if it accepts it. */
export function expressionError(expression: string): ExpressionError | undefined {
  const size = expressionSize(expression)
  if (size === Number.POSITIVE_INFINITY)
    return { description: "too long", fragment: undefined, length: [...expression].length }
  if (size > largestExpression) return { description: "too large", fragment: undefined, size }
  if (isPlainExpression(expression)) return undefined
  if (errors.has(expression)) return errors.get(expression)
  const error = errorOf(expression)
  if (errors.size === mostErrors) errors.clear()
  errors.set(expression, error)
  return error
}

/** Cached, because a flag often has the same expression in each of its environments. */
const errors = new Map<string, ExpressionError | undefined>()
const mostErrors = 1_000

/**
 * Asks the evaluator's engine and its list of character properties, so that both agree on every expression. Loads it for the first expression that is not
 * plain, because that takes as long as checking a thousand files.
 */
function errorOf(expression: string): ExpressionError | undefined {
  const fragment = foreignProperty(expression)
  if (fragment !== undefined) return { description: badRange, fragment }
  const engine = loadEngine()
  try {
    engine.RE2JS.compile(expression)
    return undefined
  } catch (error) {
    if (!(error instanceof engine.RE2JSSyntaxException))
      return { description: "too large", fragment: undefined }
    return { description: error.getDescription(), fragment: error.getPattern() ?? undefined }
  }
}

/** What RE2 says of a name that it does not know. */
const badRange = "invalid character class range"
