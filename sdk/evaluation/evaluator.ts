import type { SnapshotDocument } from "../contract/snapshot.ts"
import { type CompiledRules, evaluateFlag } from "./compile-flag.ts"
import type { Context, Evaluation } from "./evaluation.ts"
import { type Explanation, explainFlag } from "./explain.ts"
import { createFlagCompiler } from "./flag-compiler.ts"

export { documentOfValues, type FlagValuesDocument } from "./document-of-values.ts"
export type { Cause, Context, Evaluation } from "./evaluation.ts"
export type { ConditionExplanation, Explanation, Reason, RuleExplanation } from "./explain.ts"
export type { Truth } from "./match-condition.ts"

/** Evaluates the flags of one snapshot. Synchronous, without clock, randomness or I/O; its methods never throw. */
export interface Evaluator {
  evaluate(key: string, context: Context): Evaluation
  /** All flags in the order of the document. */
  evaluateAll(context: Context): readonly Evaluation[]
  /** Explains why a flag has its value: the conditions of its rules, and what the context has. */
  explain(key: string, context: Context): Explanation
}

/** Compiles a snapshot. Asynchronous, because the engine for regular expressions is loaded if a rule has one. */
export async function createEvaluator(document: SnapshotDocument): Promise<Evaluator> {
  const compiler = createFlagCompiler()
  const flags: CompiledRules[] = []
  for (const entry of document.flags) flags.push(await compiler.compile(entry))
  const byKey = new Map(document.flags.map(({ flag }, index) => [flag.key, flags[index]]))
  const entries = new Map(document.flags.map((entry) => [entry.flag.key, entry]))
  return {
    evaluate: (key, context) => {
      const flag = byKey.get(key)
      return flag === undefined ? { kind: "unknownFlag", key } : evaluateFlag(flag, context)
    },
    evaluateAll: (context) => flags.map((flag) => evaluateFlag(flag, context)),
    explain: (key, context) => {
      const entry = entries.get(key)
      return entry === undefined
        ? { evaluation: { kind: "unknownFlag", key }, rules: [] }
        : explainFlag(entry, context, compiler.expressionsOf(entry))
    },
  }
}
