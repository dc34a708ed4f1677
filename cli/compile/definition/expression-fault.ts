import type { Span } from "../../diagnostics/diagnostic.ts"
import { type Construct, constructs, misplaced } from "./expression-constructs.ts"
import { loadEngine } from "./expression-engine.ts"
import { type ExpressionError, placeOf } from "./expression-place.ts"
import { isPlainExpression } from "./plain-expression.ts"

/** Why RE2 does not know an expression. */
export interface ExpressionFault {
  /** What follows "must be an RE2 expression", without a full stop. */
  readonly message: string
  /** The construct that RE2 does not know; `undefined` where it names none. */
  readonly part: Span | undefined
}

/** What RE2 has against an expression; `undefined` where it knows it. */
export function expressionFault(expression: string): ExpressionFault | undefined {
  if (isPlainExpression(expression)) return undefined
  const known = faults.get(expression)
  if (known !== undefined || faults.has(expression)) return known
  const error = errorOf(expression)
  const fault = error && explain(expression, error)
  if (faults.size === mostFaults) faults.clear()
  faults.set(expression, fault)
  return fault
}

/** A flag has the same expression in each of its environments. */
const faults = new Map<string, ExpressionFault | undefined>()
const mostFaults = 1_000

function explain(expression: string, error: ExpressionError): ExpressionFault {
  const start = placeOf(expression, error, errorOf)
  const rest = start === undefined ? undefined : expression.slice(start)
  const construct = rest === undefined ? undefined : constructAt(rest, error)
  const [text] = (rest !== undefined && construct?.pattern.exec(rest)) || []
  if (start === undefined || construct === undefined || text === undefined)
    return { message: `; RE2 says: ${error.description}`, part: undefined }
  const character = [...expression.slice(0, start)].length + 1
  const shown = text.length > longestShown ? `${text.slice(0, longestShown)}…` : text
  return {
    message: `: \`${shown}\` at character ${character} ${construct.says}. ${construct.advice}`,
    part: { start, end: start + text.length },
  }
}

function constructAt(rest: string, { description }: ExpressionError): Construct | undefined {
  const special = misplaced.get(description)
  return [...(special === undefined ? [] : [special]), ...constructs].find(({ pattern }) =>
    pattern.test(rest),
  )
}

const longestShown = 30

/**
 * Asks the engine of the evaluator, and so agrees with it on every expression. It is loaded for the first one that is not
 * plain, because that takes as long as checking a thousand files.
 */
function errorOf(expression: string): ExpressionError | undefined {
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
