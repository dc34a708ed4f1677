import type { Context } from "../../sdk/evaluation/evaluation.ts"
import type { CompileExpression } from "../../sdk/evaluation/expression.ts"
import { contextsOf, everything } from "../conditions/context-set.ts"
import { jsonContext } from "../conditions/json-context.ts"
import { type Reach, reachOf } from "../conditions/reach.ts"
import type { Condition } from "../language/condition.ts"
import type { Flag } from "../language/flag.ts"
import { scopeOf } from "./outcomes.ts"

/** Whether contexts reach each condition, as if they were a flag's rules in this order, and last, the flag's default. */
export function reachesOf(
  flag: Flag,
  conditions: readonly Condition[],
  compileExpression: CompileExpression,
): readonly Reach[] {
  const scope = scopeOf(flag, compileExpression)
  return reachOf([...conditions.map((condition) => contextsOf(condition, scope)), everything])
}

/** A context that reaches it, as JSON; `undefined` if none is known. */
export function witnessOf(reach: Reach | undefined): Context | undefined {
  return reach !== undefined && "witness" in reach ? jsonContext(reach.witness) : undefined
}
