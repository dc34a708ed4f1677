import type { FlagEntry } from "../contract/snapshot.ts"
import { type CompiledRules, compileFlag } from "./compile-flag.ts"
import { comparisonsIn, type ParsedCondition, parseCondition } from "./condition.ts"
import type { CompileExpression } from "./expression.ts"
import { boundedExpressions } from "./expression-size.ts"
import { isExpression } from "./operators.ts"
import { createShares } from "./share.ts"
import { createTextLists } from "./text-lists.ts"

/** Compiles the flags of one document, one at a time; keeps what their conditions share. */
export interface FlagCompiler {
  /** Asynchronous, because the engine for regular expressions is loaded for the first flag that has one. */
  compile(entry: FlagEntry): Promise<CompiledRules>
  /** Compiles the expressions of a flag that was compiled before. */
  expressionsOf(entry: FlagEntry): CompileExpression
}

/** `pause` is called and awaited after each expression, which may take 20 ms to compile. */
export function createFlagCompiler(pause?: () => Promise<void> | undefined): FlagCompiler {
  const textLists = createTextLists()
  const shareOf = createShares()
  let engine: CompileExpression | undefined
  const compilerOf =
    (bounded: ReadonlySet<string>): CompileExpression =>
    (source) =>
      bounded.has(source) ? engine?.(source) : undefined
  return {
    async compile(entry) {
      const conditions = conditionsOf(entry)
      const bounded = boundedIn(conditions)
      if (engine === undefined && bounded.size > 0)
        engine = await (await import("./expression.ts")).loadExpressions()
      for (const source of bounded) {
        engine?.(source)
        const paused = pause?.()
        if (paused !== undefined) await paused
      }
      return compileFlag(entry, conditions, { compileExpression: compilerOf(bounded), textLists, shareOf })
    },
    expressionsOf: (entry) => compilerOf(boundedIn(conditionsOf(entry))),
  }
}

function conditionsOf({ environment }: FlagEntry): readonly ParsedCondition[] {
  return (environment?.rules ?? []).map(parseCondition)
}

function boundedIn(conditions: readonly ParsedCondition[]): ReadonlySet<string> {
  const expressions = conditions.flatMap(comparisonsIn).filter(({ operator }) => isExpression(operator))
  return boundedExpressions(expressions.map(({ value }) => value))
}
