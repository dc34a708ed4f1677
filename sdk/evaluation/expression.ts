import { expressionSize, largestExpression } from "./expression-size.ts"
import { createStateBudget, type EngineExpression } from "./expression-states.ts"
import { foreignProperty } from "./foreign-property.ts"

/** Returns whether a regular expression is found in a text. */
export type Expression = (text: string) => boolean

/** Compiles RE2 syntax; `undefined` if RE2 does not know it, or the expression is too large. */
export type CompileExpression = (source: string) => Expression | undefined

/**
 * Loads the engine for regular expressions. It is linear for every expression and text, because strangers send the
 * texts. It is nine times as large as everything else, so it is not loaded for documents without `matches` and
 * `notMatches`.
 */
export async function loadExpressions(): Promise<CompileExpression> {
  const loaded = await import("re2js")
  return createExpressions(() => loaded)
}

/** A text as an engine of UTF-8 gets it: half a surrogate pair becomes U+FFFD. */
const wellFormed = (text: string) => text.replace(/\p{Surrogate}/gu, "\ufffd")

/** The part of the engine's package, `re2js`, that is used. */
export interface ExpressionEngine {
  readonly RE2JS: { readonly compile: (source: string) => EngineExpression }
}

/** Does the same with an engine that is loaded for the first expression. */
export function createExpressions(engine: () => ExpressionEngine): CompileExpression {
  const compiled = new Map<string, Expression | undefined>()
  const withinBudget = createStateBudget()
  const compile: CompileExpression = (source) => {
    if (expressionSize(source) > largestExpression || foreignProperty(source) !== undefined) return undefined
    const { RE2JS } = engine()
    try {
      const find = withinBudget(RE2JS.compile(wellFormed(source)))
      return (text) => find(wellFormed(text))
    } catch {
      return undefined
    }
  }
  return (source) => {
    if (!compiled.has(source)) compiled.set(source, compile(source))
    return compiled.get(source)
  }
}
