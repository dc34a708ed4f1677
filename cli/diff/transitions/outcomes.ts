import type { Json, Rule } from "../../../sdk/contract/snapshot.ts"
import type { CompileExpression } from "../../../sdk/evaluation/expression.ts"
import { isAlways, scopeOfFlag } from "../../../sdk/evaluation/operators.ts"
import type { ResolvedFlag } from "../../compile/flags/resolve.ts"
import { canonicalJson } from "../../compile/meaning/canonical-json.ts"
import {
  type ContextSet,
  complement,
  contextsOf,
  everything,
  intersection,
  nameOf,
} from "../../conditions/context-set.ts"
import type { SetScope } from "../../conditions/predicate.ts"
import { type ValuedContexts, valueChanges } from "../../conditions/value-changes.ts"

/** What a flag gives: a rule's value, for users whom no earlier rule matches, or finally the default. */
export interface Outcome extends ValuedContexts {
  readonly returns: Json
  /** `undefined`: the flag's default. */
  readonly rule: Rule | undefined
  /** Counts from 0, which is also the rule's position. */
  readonly at: number
  /** A string that is equal for outcomes whose contexts are written the same way. */
  readonly name: string
}

/** What the conditions of a flag need. An attribute with a declared type has one value, unless it is a list. */
export function scopeOf({ flag, attributes }: ResolvedFlag, compileExpression: CompileExpression): SetScope {
  const isScalar = (attribute: string) => (attributes?.get(attribute)?.type ?? "list") !== "list"
  return { ...scopeOfFlag(flag.key, { compileExpression }), isScalar }
}

/** What a flag gives in an environment, in order. The last outcome is for everyone who is left. */
export function outcomesOf(
  { flag, configurations }: ResolvedFlag,
  environment: string,
  scope: SetScope,
): readonly Outcome[] {
  const configuration = configurations.get(environment)
  const rules = configuration?.enabled ? configuration.rules : []
  const end = rules.findIndex(({ operator }) => isAlways(operator))
  const outcomes = (end === -1 ? rules : rules.slice(0, end + 1)).map((rule, at): Outcome => {
    const { returnValue: returns } = rule
    const contexts = contextsOf(rule, scope)
    const value = canonicalJson(returns)
    return { contexts, value, returns, rule, at, name: nameOf(contexts) }
  })
  return end === -1 ? [...outcomes, defaultOf(flag.defaultValue, outcomes.length)] : outcomes
}

function defaultOf(value: Json, at: number): Outcome {
  return {
    contexts: everything,
    value: canonicalJson(value),
    returns: value,
    rule: undefined,
    at,
    name: nameOf(everything),
  }
}

/** What a new flag gave before: no value. */
export const noOutcome: Outcome = { ...defaultOf(null, 0), value: "" }

/** The contexts for which an outcome decides: those that match no earlier one. */
export function decidedBy({ contexts, at }: Outcome, outcomes: readonly Outcome[]): ContextSet {
  return intersection(contexts, ...outcomes.slice(0, at).map((earlier) => complement(earlier.contexts)))
}

/** Whether a user gets, or may get, a value other than the flag's default. */
export function isOn(flag: ResolvedFlag, environment: string, compileExpression: CompileExpression): boolean {
  const outcomes = outcomesOf(flag, environment, scopeOf(flag, compileExpression))
  const { changes, possible, isCutShort } = valueChanges([defaultOf(flag.flag.defaultValue, 0)], outcomes)
  return changes.length > 0 || possible.length > 0 || isCutShort
}
