import { expressionSize, largestExpression } from "../../../sdk/evaluation/expression-size.ts"
import { loadEngine } from "./expression-engine.ts"

/** RE2's message about an expression that it rejects. */
export interface ExpressionError {
  readonly description: string
  /** The part that it does not know, or the whole expression; `undefined` where it names none. */
  readonly fragment: string | undefined
  /** In RE2's instructions, where they are too many. */
  readonly size?: number
}

/**
 * Why RE2 rejects an expression; `undefined` if it accepts it. Asks the engine of the evaluator, and so agrees with it on
 * every expression.
 */
export function expressionError(expression: string): ExpressionError | undefined {
  const size = expressionSize(expression)
  if (size > largestExpression) return { description: "too large", fragment: undefined, size }
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
