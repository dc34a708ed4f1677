import { type ExpressionError, expressionError } from "../grammar/expression-error.ts"

/**
 * The offset where RE2 gives up, since RE2 reports only the text; `undefined` if it is not certain. RE2 reads from left to
 * right, so the expression cut off after the faulty part has the same error.
 */
export function placeOf(expression: string, error: ExpressionError): number | undefined {
  const { description, fragment } = error
  if (description === "missing closing )") return unclosedGroup(expression)
  if (fragment === undefined) return undefined
  const part = partOf(error)
  let at = expression.indexOf(part)
  for (let read = 0; at !== -1 && read < mostRead; ) {
    const end = at + part.length
    read += end
    const found = expressionError(expression.slice(0, end))
    if (found?.description === description && partOf(found) === part) return at
    at = expression.indexOf(part, at + 1)
  }
  return undefined
}

/**
 * In code units, over all tries: RE2 takes a second for about a hundred thousand, and a hostile file has many
 * expressions.
 */
const mostRead = 100_000

/** The faulty part. RE2 reports the whole expression for a bracket. */
function partOf({ description, fragment = "" }: ExpressionError): string {
  return description === "unexpected )" ? ")" : fragment
}

/** The last unclosed group. All classes are closed, or RE2 would have reported them first. */
function unclosedGroup(expression: string): number | undefined {
  const tokens =
    /\\Q[\s\S]*?(?:\\E|$)|\\[\s\S]|\[\^?\]?(?:\[:\^?[a-z]{1,9}:\]|\\[\s\S]|[^\]\\])*(?:\]|\\?$)|[()]/g
  const open: number[] = []
  for (const { 0: token, index } of expression.matchAll(tokens)) {
    if (token === "(") open.push(index)
    else if (token === ")") open.pop()
  }
  return open.at(-1)
}
