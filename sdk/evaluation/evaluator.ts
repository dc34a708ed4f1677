import { checkSnapshot, type SnapshotDocument } from "../contract/snapshot.ts"
import { compileEntries, type Evaluator } from "./compile-entries.ts"

export type { Json, SnapshotDocument } from "../contract/snapshot.ts"
export type { Evaluator } from "./compile-entries.ts"
export { documentOfValues, type FlagValuesDocument } from "./document-of-values.ts"
export type { Cause, Context, Evaluation } from "./evaluation.ts"
export type { ConditionExplanation, Explanation, Reason, RuleExplanation } from "./explain.ts"
export type { Truth } from "./match-condition.ts"

/**
 * Evaluates a snapshot, which must not change any more. Asynchronous, because the engine for regular expressions is loaded if a
 * rule has one. Rejects with an error that says what is wrong if it is no document of flags.
 */
export async function createEvaluator(document: SnapshotDocument): Promise<Evaluator> {
  const checked = checkSnapshot(document)
  if (checked.kind === "invalid") throw new Error(`not a document of flags: ${checked.reason}`)
  return compileEntries(document.flags)
}
