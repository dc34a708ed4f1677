import type { FlagEntry, Rule } from "../contract/snapshot.ts"
import { type CompiledRules, compileFlag } from "./compile-flag.ts"
import { comparisonsIn, isGroupKind, type ParsedCondition, parseCondition } from "./condition.ts"
import type { CompileExpression } from "./expression.ts"
import { boundedExpressions } from "./expression-size.ts"
import { isExpression } from "./operators.ts"
import { createShares } from "./share.ts"
import { createTextLists } from "./text-lists.ts"

/** Compiles the flags of one document, one at a time; keeps what their conditions share. */
export interface FlagCompiler {
  /** Asynchronous, because the engine for regular expressions is loaded for the first flag that has one. */
  compile(entry: FlagEntry): Promise<CompiledRules>
  /** Loads the engine if an entry may need it. */
  loadFor(entries: readonly FlagEntry[]): Promise<void>
  /** Does the same as `compile` at once; the engine must have been loaded. */
  compileLoaded(entry: FlagEntry): CompiledRules
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
  const load = async () => {
    engine ??= await (await import("./expression.ts")).loadExpressions()
  }
  return {
    async compile(entry) {
      const conditions = conditionsOf(entry)
      const bounded = boundedIn(conditions)
      if (bounded.size > 0) await load()
      for (const source of bounded) {
        engine?.(source)
        const paused = pause?.()
        if (paused !== undefined) await paused
      }
      return compileFlag(entry, conditions, { compileExpression: compilerOf(bounded), textLists, shareOf })
    },
    async loadFor(entries) {
      if (entries.some(({ environment }) => environment?.rules.some(mayHaveExpression))) await load()
    },
    compileLoaded(entry) {
      const conditions = conditionsOf(entry)
      const compileExpression = compilerOf(boundedIn(conditions))
      return compileFlag(entry, conditions, { compileExpression, textLists, shareOf })
    },
    expressionsOf: (entry) => compilerOf(boundedIn(conditionsOf(entry))),
  }
}

/** Whether a rule may have an expression at any depth. To read its groups would take as long as to compile it. */
function mayHaveExpression({ operator, value }: Rule): boolean {
  return isExpression(operator) || (isGroupKind(operator) && /atches|\\u/.test(value))
}

function conditionsOf({ environment }: FlagEntry): readonly ParsedCondition[] {
  return (environment?.rules ?? []).map(parseCondition)
}

function boundedIn(conditions: readonly ParsedCondition[]): ReadonlySet<string> {
  const expressions = conditions.flatMap(comparisonsIn).filter(({ operator }) => isExpression(operator))
  return boundedExpressions(expressions.map(({ value }) => value))
}
