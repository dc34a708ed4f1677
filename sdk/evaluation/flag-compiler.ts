import type { FlagEntry } from "../../proxy/contract/snapshot.ts"
import { type CompiledRules, compileFlag } from "./compile-flag.ts"
import { hasExpression, parseCondition } from "./condition.ts"
import { type CompileExpression, loadExpressions } from "./expression.ts"
import { createShares } from "./share.ts"
import { createTextLists } from "./text-lists.ts"

/** Compiles the flags of one document, in any number of turns: what their conditions share is kept between them. */
export interface FlagCompiler {
  /** Asynchronous, because the engine for expressions is loaded for the first flag that has one. */
  compile(entry: FlagEntry): Promise<CompiledRules>
  /** For expressions of the flags that were compiled. */
  readonly compileExpression: CompileExpression
}

export function createFlagCompiler(): FlagCompiler {
  const textLists = createTextLists()
  const shareOf = createShares()
  let engine: CompileExpression | undefined
  const compileExpression: CompileExpression = (source) => engine?.(source)
  return {
    async compile(entry) {
      const conditions = (entry.environment?.rules ?? []).map(parseCondition)
      if (engine === undefined && conditions.some(hasExpression)) engine = await loadExpressions()
      return compileFlag(entry, conditions, { compileExpression, textLists, shareOf })
    },
    compileExpression,
  }
}
