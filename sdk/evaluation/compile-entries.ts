import type { FlagEntry } from "../contract/snapshot.ts"
import { type CompiledRules, evaluateFlag } from "./compile-flag.ts"
import type { Context, Evaluation } from "./evaluation.ts"
import { type Explanation, explainFlag } from "./explain.ts"
import { createFlagCompiler } from "./flag-compiler.ts"

/**
 * Evaluates the flags of one snapshot. Synchronous, without clock, randomness or I/O; its methods never throw. A context is a
 * `Context`, or an object whose type is an interface.
 */
export interface Evaluator {
  evaluate(key: string, context: object): Evaluation
  /** All flags in the order of the document. */
  evaluateAll(context: object): readonly Evaluation[]
  /** Explains why a flag has its value: the conditions of its rules, and what the context has. */
  explain(key: string, context: object): Explanation
}

/**
 * Evaluates entries whose form and order are known to be right, such as our own. A flag is compiled when it is first asked: to
 * compile ten thousand at once would stop an application for a quarter of a second.
 */
export async function compileEntries(entries: readonly FlagEntry[]): Promise<Evaluator> {
  const compiler = createFlagCompiler()
  await compiler.loadFor(entries)
  const compiled = new Map<string, CompiledRules>()
  const entryOf = new Map(entries.map((entry) => [entry.flag.key, entry]))
  const compile = (entry: FlagEntry) => {
    const rules = compiler.compileLoaded(entry)
    compiled.set(entry.flag.key, rules)
    return rules
  }
  return {
    evaluate: (key, context: Context) => {
      const rules = compiled.get(key)
      if (rules !== undefined) return evaluateFlag(rules, context)
      const entry = entryOf.get(key)
      return entry === undefined ? { kind: "unknownFlag", key } : evaluateFlag(compile(entry), context)
    },
    evaluateAll: (context: Context) =>
      entries.map((entry) => evaluateFlag(compiled.get(entry.flag.key) ?? compile(entry), context)),
    explain: (key, context: Context) => {
      const entry = entryOf.get(key)
      return entry === undefined
        ? { evaluation: { kind: "unknownFlag", key }, rules: [] }
        : explainFlag(entry, context, compiler.expressionsOf(entry))
    },
  }
}
