import type { Json, Rule } from "../../../sdk/contract/snapshot.ts"
import type { CompileExpression } from "../../../sdk/evaluation/expression.ts"
import { isAlways } from "../../../sdk/evaluation/operators.ts"
import { contextsOf, everything, nameOf } from "../../conditions/context-set.ts"
import type { Outcome } from "../../conditions/moves/outcome.ts"
import { type SetScope, scopeOfKey } from "../../conditions/predicate.ts"
import { valueChanges } from "../../conditions/value-changes.ts"
import type { ResolvedFlag } from "../../flag/resolve.ts"
import { canonicalJson } from "../../language/canonical-json.ts"
import { always, type Condition, fold, never, type Reference } from "../../language/condition.ts"
import { decode } from "../../language/encode.ts"
import { writtenRules } from "../differences/written-rules.ts"

/** What the conditions of a flag need. */
export function scopeOf({ flag, attributes }: ResolvedFlag, compileExpression: CompileExpression): SetScope {
  return scopeOfKey(flag.key, { compileExpression, attributes })
}

/**
 * What a flag gives in an environment, in order. The last outcome is for everyone who is left. `isNamed`: whether a reference
 * may be told by its name; else its condition is spelled out.
 */
export function outcomesOf(
  flag: ResolvedFlag,
  environment: string,
  scope: SetScope,
  isNamed: (reference: Reference) => boolean = () => true,
): readonly Outcome[] {
  const configuration = flag.configurations.get(environment)
  const rules = configuration?.enabled ? configuration.rules : []
  const unencoded = flag.referring?.get(environment)?.rules
  const written = writtenRules(flag, environment)
  const end = rules.findIndex(({ operator }) => isAlways(operator))
  const outcomes = (end === -1 ? rules : rules.slice(0, end + 1)).map((rule, at): Outcome => {
    const condition = conditionOf(rule, unencoded?.[at]?.condition, scope.seed, isNamed)
    const contexts = contextsOf(condition, scope)
    const { returnValue: returns } = rule
    const [value, name] = [canonicalJson(returns), nameOf(contexts)]
    return { contexts, value, returns, rule, condition, at, number: written[at]?.number, name }
  })
  return end === -1 ? [...outcomes, defaultOf(flag.flag.defaultValue, outcomes.length)] : outcomes
}

/** The condition of a rule, as its file has it if that has references. */
function conditionOf(
  rule: Rule,
  unencoded: Condition | undefined,
  key: string,
  isNamed: (reference: Reference) => boolean,
): Condition {
  if (unencoded === undefined) return decode(rule, key) ?? never
  return fold(
    unencoded,
    (node, [means, ...parts]: readonly Condition[]): Condition => {
      if (node.kind === "share") return node.seed === key ? { ...node, seed: undefined } : node
      if (node.kind === "comparison" || means === undefined) return node
      if ("parts" in node) return { ...node, parts: [means, ...parts] }
      return isNamed(node) ? { ...node, means } : means
    },
    "meanings",
  )
}

function defaultOf(value: Json, at: number): Outcome {
  return {
    contexts: everything,
    value: canonicalJson(value),
    returns: value,
    rule: undefined,
    condition: always,
    at,
    number: undefined,
    name: nameOf(everything),
  }
}

/** What a new flag gave before: no value. */
export const noOutcome: Outcome = { ...defaultOf(null, 0), value: "" }

/** Whether a user gets, or may get, a value other than the flag's default. */
export function isOn(flag: ResolvedFlag, environment: string, compileExpression: CompileExpression): boolean {
  const outcomes = outcomesOf(flag, environment, scopeOf(flag, compileExpression))
  const { changes, possible, isCutShort } = valueChanges([defaultOf(flag.flag.defaultValue, 0)], outcomes)
  return changes.length > 0 || possible.length > 0 || isCutShort
}
