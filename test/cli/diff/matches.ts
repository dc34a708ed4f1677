import { type CompiledCondition, compileCondition } from "../../../sdk/evaluation/compile-condition.ts"
import { type Condition, parseCondition } from "../../../sdk/evaluation/condition.ts"
import type { Context } from "../../../sdk/evaluation/evaluation.ts"
import { loadExpressions } from "../../../sdk/evaluation/expression.ts"
import { matchCondition } from "../../../sdk/evaluation/match-condition.ts"
import { scopeOfFlag } from "../../../sdk/evaluation/operators.ts"

const compileExpression = await loadExpressions()

/** Whether a condition matches a context. */
export function matches(condition: Condition, context: Context, key = "flag"): boolean {
  const compiled = compile(condition, key)
  return compiled !== undefined && matchCondition(compiled, context) === true
}

function compile(condition: Condition, key: string): CompiledCondition | undefined {
  const ofKey = compiledByKey.get(key) ?? new WeakMap<Condition, CompiledCondition | undefined>()
  compiledByKey.set(key, ofKey)
  if (!ofKey.has(condition)) {
    const scope = scopeOfFlag(key, { compileExpression })
    ofKey.set(condition, compileCondition(parseCondition(condition), scope))
  }
  return ofKey.get(condition)
}

/** Property tests ask the same condition of many contexts. */
const compiledByKey = new Map<string, WeakMap<Condition, CompiledCondition | undefined>>()
