import type { FlagEntry } from "../contract/snapshot.ts"
import { type CompiledCondition, compileCondition } from "./compile-condition.ts"
import { comparisonsIn, type ParsedCondition } from "./condition.ts"
import type { Cause, Context, Evaluation } from "./evaluation.ts"
import { matchCondition } from "./match-condition.ts"
import { type DocumentScope, isAlways, isOperator, isShare, scopeOfFlag } from "./operators.ts"

/** A flag's compiled rules, with every evaluation that it can give, so that evaluating allocates nothing. */
export interface CompiledRules {
  readonly rules: readonly CompiledRule[]
  readonly otherwise: Evaluation
}

interface CompiledRule {
  readonly condition: CompiledCondition
  readonly matched: Evaluation
  /** The evaluation if one of the project's own operators decides. */
  readonly unknown: Evaluation | undefined
}

/** Compiles a flag; `conditions` are its rules' conditions, in order. */
export function compileFlag(
  { flag, environment }: FlagEntry,
  conditions: readonly ParsedCondition[],
  document: DocumentScope,
): CompiledRules {
  const { key, defaultValue } = flag
  const withoutRule = (cause: Cause): Evaluation =>
    Object.freeze({ kind: "evaluated", key, value: defaultValue, cause, ruleId: undefined })
  if (environment === null) return { rules: [], otherwise: withoutRule("unconfigured") }
  if (!environment.enabled) return { rules: [], otherwise: withoutRule("disabled") }

  const scope = scopeOfFlag(key, document)
  const rules: CompiledRule[] = []
  for (const [index, { id: ruleId, operator, returnValue: value }] of environment.rules.entries()) {
    const parsed = conditions[index]
    if (parsed === undefined) continue
    const condition = compileCondition(parsed, scope)
    if (condition === undefined) continue
    const matched = { kind: "evaluated", key, value, cause: causeOf(operator), ruleId } as const
    const unknown = comparisonsIn(parsed).find(({ operator }) => !isOperator(operator))?.operator
    rules.push({
      condition,
      matched: Object.freeze(matched),
      unknown:
        unknown === undefined
          ? undefined
          : Object.freeze({ kind: "unknownOperator", key, ruleId, operator: unknown }),
    })
  }
  return { rules, otherwise: withoutRule("default") }
}

function causeOf(operator: string): Cause {
  if (isShare(operator)) return "share"
  return isAlways(operator) ? "always" : "rule"
}

/** The first rule that matches decides; a rule whose truth is unknown ends the evaluation. */
export function evaluateFlag({ rules, otherwise }: CompiledRules, context: Context): Evaluation {
  for (const { condition, matched, unknown } of rules) {
    const truth = matchCondition(condition, context)
    if (truth === true) return matched
    if (truth === "unknown" && unknown !== undefined) return unknown
  }
  return otherwise
}
