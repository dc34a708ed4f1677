/** Whether an expression is found in a text. */
export type Expression = (text: string) => boolean

/** Compiles RE2 syntax; `undefined` where RE2 does not know it. */
export type CompileExpression = (source: string) => Expression | undefined

/**
 * Loads the one engine for expressions. It is linear whatever the expression and the text, which a stranger sends, and
 * takes nine times the room of all the rest, so a document without `matches` and `notMatches` does without it.
 */
export async function loadExpressions(): Promise<CompileExpression> {
  const { RE2JS } = await import("re2js")
  const compiled = new Map<string, Expression | undefined>()
  const compile: CompileExpression = (source) => {
    try {
      const expression = RE2JS.compile(source)
      return (text) => expression.test(text)
    } catch {
      return undefined
    }
  }
  return (source) => {
    if (!compiled.has(source)) compiled.set(source, compile(source))
    return compiled.get(source)
  }
}
