import type { FlagEntry } from "../../sdk/contract/snapshot.ts"
import type { Condition } from "../../sdk/evaluation/condition.ts"
import type { Context } from "../../sdk/evaluation/evaluation.ts"
import type { CompileExpression } from "../../sdk/evaluation/expression.ts"
import { scopeOfFlag } from "../../sdk/evaluation/operators.ts"
import { everything } from "../conditions/context-set.ts"
import { jsonContext } from "../conditions/json-context.ts"
import { reachOf } from "../conditions/reach.ts"
import { branchesOf } from "./branches.ts"
import { operandsOf } from "./contexts.ts"
import { contextsOfRule } from "./decode.ts"
import { withTyped } from "./neighbours.ts"

/**
 * Contexts that reach each rule of an entry, and the default, each as strings or also with the values that the strings mean;
 * with `inEachWay`, by each way to satisfy a rule. The first one is empty.
 */
export function witnessesOf(
  entry: FlagEntry,
  compileExpression: CompileExpression,
  { isTextual, inEachWay }: { readonly isTextual: boolean; readonly inEachWay: boolean },
): readonly Context[] {
  const branches = inEachWay ? branchesOf(entry) : []
  const witnesses: readonly (Context | undefined)[] = [
    ...witnessesIn(entry, compileExpression),
    ...branches.map((branch) => witnessesIn(branch, compileExpression).at(-2)),
  ]
  const found = witnesses.flatMap((one) => (one !== undefined && Object.keys(one).length > 0 ? [one] : []))
  return [{}, ...(isTextual ? found.map(asTexts) : found.flatMap(withTyped))]
}

/** A context that reaches each rule of an entry, and last one that reaches none; `undefined` if none is known. */
function witnessesIn(
  { flag, environment }: FlagEntry,
  compileExpression: CompileExpression,
): readonly (Context | undefined)[] {
  const scope = scopeOfFlag(flag.key, { compileExpression })
  const sets = (environment?.enabled ? environment.rules : []).map((rule) => contextsOfRule(rule, scope))
  return reachOf([...sets, everything]).map((reach) =>
    "witness" in reach ? jsonContext(reach.witness) : undefined,
  )
}

function asTexts(context: Context): Context {
  return Object.fromEntries(Object.entries(context).map(([name, value]) => [name, String(value)]))
}

/** An id that no rule names, not even its start, end or middle, because the rules about ids come first. */
export function unnamedId(attribute: string, comparisons: readonly Condition[]): string {
  const about = comparisons.filter((one) => one.attribute === attribute)
  const operands = about.flatMap(operandsOf).map((operand) => operand.toLowerCase())
  const whole = new Set(operands)
  const parts = operands.filter((operand) => operand.length < 8)
  const isFree = (id: string) => !whole.has(id) && !parts.some((part) => id.includes(part))
  const numbers = Array.from({ length: whole.size + 1 }, (_, at) => at + 1)
  return numbers.flatMap((number) => [`user-${number}`, `${number}x`, `q${number}`]).find(isFree) ?? "user-1"
}
