import type { FlagEntry } from "../contract/snapshot.ts"
import { type CompiledRules, evaluateFlag } from "./compile-flag.ts"
import type { Context, Evaluation } from "./evaluation.ts"
import { type Explanation, explainFlag } from "./explain.ts"
import { createFlagCompiler } from "./flag-compiler.ts"

/** Evaluates the flags of one snapshot. Synchronous, without clock, randomness or I/O; its methods never throw. */
export interface Evaluator {
  evaluate(key: string, context: Context): Evaluation
  /** All flags in the order of the document. */
  evaluateAll(context: Context): readonly Evaluation[]
  /** Explains why a flag has its value: the conditions of its rules, and what the context has. */
  explain(key: string, context: Context): Explanation
}

/** Compiles entries whose form and order are known to be right, such as our own. */
export async function compileEntries(entries: readonly FlagEntry[]): Promise<Evaluator> {
  const compiler = createFlagCompiler()
  const flags: CompiledRules[] = []
  for (const entry of entries) flags.push(await compiler.compile(entry))
  const byKey = new Map(entries.map(({ flag }, index) => [flag.key, flags[index]]))
  const entryOf = new Map(entries.map((entry) => [entry.flag.key, entry]))
  return {
    evaluate: (key, context) => {
      const flag = byKey.get(key)
      return flag === undefined ? { kind: "unknownFlag", key } : evaluateFlag(flag, context)
    },
    evaluateAll: (context) => flags.map((flag) => evaluateFlag(flag, context)),
    explain: (key, context) => {
      const entry = entryOf.get(key)
      return entry === undefined
        ? { evaluation: { kind: "unknownFlag", key }, rules: [] }
        : explainFlag(entry, context, compiler.expressionsOf(entry))
    },
  }
}
