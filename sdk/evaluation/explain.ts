import type { FlagEntry } from "../contract/snapshot.ts"
import { attributeOf } from "./attribute.ts"
import { compileCondition } from "./compile-condition.ts"
import { compileFlag, evaluateFlag } from "./compile-flag.ts"
import { type Condition, type ParsedCondition, parseCondition } from "./condition.ts"
import type { Context, Evaluation } from "./evaluation.ts"
import type { CompileExpression } from "./expression.ts"
import { isList } from "./lists.ts"
import { matchCondition, type Truth } from "./match-condition.ts"
import { isAlways, isOperator, type OperatorScope, scopeOfFlag, shareIn } from "./operators.ts"
import { textOf } from "./text-of.ts"

/** An evaluation, and each rule's part in it. */
export interface Explanation {
  readonly evaluation: Evaluation
  /** All rules in order; none if the flag is disabled, not configured or unknown. */
  readonly rules: readonly RuleExplanation[]
}

export interface RuleExplanation {
  readonly ruleId: string
  /** False after the rule that decided. */
  readonly isReached: boolean
  readonly condition: ConditionExplanation
}

/** Whether a condition matches, and why. */
export interface ConditionExplanation extends Condition {
  readonly truth: Truth
  readonly reason: Reason
}

export type Reason =
  /** The operator uses no attribute. */
  | { readonly kind: "always" }
  /** The context lacks the attribute, or it is null. */
  | { readonly kind: "missing" }
  /** The attribute cannot be compared as text: it is an object. */
  | { readonly kind: "object" }
  /** The attribute as the operator sees it: its text, or the texts of its elements that have one. */
  | { readonly kind: "compared"; readonly texts: readonly string[]; readonly isList: boolean }
  /** The hash of the text, in percent of 2³². */
  | { readonly kind: "share"; readonly text: string; readonly percent: number }
  | { readonly kind: "group"; readonly parts: readonly ConditionExplanation[] }
  /** An operator, the condition's or a part's, cannot read its operand. */
  | { readonly kind: "unreadable" }
  /** The operator is the project's own. */
  | { readonly kind: "unknownOperator" }

/** Explains a flag. Compiles the flag again, because explaining is rare and must not make evaluating slower. */
export function explainFlag(
  entry: FlagEntry,
  context: Context,
  compileExpression: CompileExpression,
): Explanation {
  const rules = entry.environment?.enabled ? entry.environment.rules : []
  const conditions = rules.map(parseCondition)
  const scope = scopeOfFlag(entry.flag.key, { compileExpression })
  const evaluation = evaluateFlag(compileFlag(entry, conditions, scope), context)
  let isReached = true
  const explained = rules.map((rule, index): RuleExplanation => {
    const condition = explainCondition(conditions[index] ?? parseCondition(rule), context, scope)
    const explanation = { ruleId: rule.id, isReached, condition }
    if (condition.truth !== false) isReached = false
    return explanation
  })
  return { evaluation, rules: explained }
}

/** Explains a condition and its parts. */
function explainCondition(
  parsed: ParsedCondition,
  context: Context,
  scope: OperatorScope,
): ConditionExplanation {
  const { attribute, operator, value } = parsed.condition
  const compiled = compileCondition(parsed, scope)
  const truth = compiled !== undefined && matchCondition(compiled, context)
  const reason: Reason = compiled === undefined ? { kind: "unreadable" } : reasonOf(parsed, context, scope)
  return { attribute, operator, value, truth, reason }
}

function reasonOf(parsed: ParsedCondition, context: Context, scope: OperatorScope): Reason {
  if (parsed.kind !== "comparison" && parsed.kind !== "unreadable")
    return { kind: "group", parts: parsed.parts.map((part) => explainCondition(part, context, scope)) }
  const { attribute, operator, value: operand } = parsed.condition
  if (!isOperator(operator)) return { kind: "unknownOperator" }
  if (isAlways(operator)) return { kind: "always" }
  const value = attributeOf(context, attribute)
  if (value === undefined) return { kind: "missing" }
  if (isList(value)) return { kind: "compared", texts: textsOf(value), isList: true }
  const text = textOf(value)
  if (text === undefined) return { kind: "object" }
  const seed = shareIn(operator, operand, scope.seed)?.seed
  if (seed !== undefined && text !== "")
    return { kind: "share", text, percent: (scope.shareOf(seed)(text) / 2 ** 32) * 100 }
  return { kind: "compared", texts: [text], isList: false }
}

function textsOf(list: readonly unknown[]): readonly string[] {
  try {
    return list.map(textOf).filter((text) => text !== undefined)
  } catch {
    return []
  }
}
