import type { Json } from "../../sdk/contract/snapshot.ts"
import type { CompileExpression } from "../../sdk/evaluation/expression.ts"
import { contextsOf, everything, nameOf } from "../conditions/context-set.ts"
import type { Outcome } from "../conditions/moves/outcome.ts"
import { type SetScope, scopeOfKey } from "../conditions/predicate.ts"
import { canonicalJson } from "../language/canonical-json.ts"
import { always, type Condition, fold, isAlways, type Reference } from "../language/condition.ts"
import type { Flag, Rule } from "../language/flag.ts"
import { standsFor } from "../language/references.ts"

/** The rules of a flag that are asked in an environment, in order: none unless it is enabled, and none below one for everyone. */
export function activeRules(flag: Flag, environment: string): readonly Rule[] {
  const configuration = flag.configurations.get(environment)
  return configuration?.enabled ? upToEveryone(configuration.rules) : []
}

/** The rules down to the first that is for everyone. */
export function upToEveryone(rules: readonly Rule[]): readonly Rule[] {
  const end = rules.findIndex(isForEveryone)
  return end === -1 ? rules : rules.slice(0, end + 1)
}

/** Whether a rule is for everyone. */
export function isForEveryone({ condition }: Rule): boolean {
  const meaning = standsFor(condition)
  return meaning !== undefined && isAlways(meaning)
}

/** How the references in a rule's condition count. */
export type ReadCondition = (condition: Condition, flag: Flag) => Condition

/**
 * What a flag gives in an environment, in order. The last outcome is for everyone who is left. Attributes have the types that
 * the project declares. References count by their meaning, unless `read` says otherwise.
 */
export function outcomesOf(
  flag: Flag,
  environment: string,
  compileExpression: CompileExpression,
  read?: ReadCondition,
): readonly Outcome[] {
  return outcomesOfRules(flag, activeRules(flag, environment), compileExpression, read)
}

/** The same for some rules of the flag, as if they were asked in an environment. */
export function outcomesOfRules(
  flag: Flag,
  rules: readonly Rule[],
  compileExpression: CompileExpression,
  read: ReadCondition = byMeaning,
): readonly Outcome[] {
  const scope = scopeOf(flag, compileExpression)
  const outcomes = rules.map((rule, at): Outcome => {
    const condition = read(rule.condition, flag)
    return outcome({ contexts: contextsOf(condition, scope), gives: rule.gives, rule, condition, at })
  })
  const last = rules.at(-1)
  if (last !== undefined && isForEveryone(last)) return outcomes
  return [...outcomes, defaultOutcome(flag.defaultValue, outcomes.length)]
}

/** What the conditions of a flag need. */
export function scopeOf({ key, attributes }: Flag, compileExpression: CompileExpression): SetScope {
  return scopeOfKey(key, { compileExpression, attributes })
}

/** The outcome of everyone whom no rule matches. `at`: the number of rules before it. */
export function defaultOutcome(gives: Json, at = 0): Outcome {
  return outcome({ contexts: everything, gives, rule: undefined, condition: always, at })
}

function outcome(parts: Omit<Outcome, "value" | "name">): Outcome {
  const { contexts, gives, rule, condition, at } = parts
  let name: string | undefined
  return {
    ...{ contexts, gives, value: canonicalJson(gives), rule, condition, at },
    get name() {
      name ??= nameOf(contexts)
      return name
    },
  }
}

/** Each reference counts by its meaning, and keeps its name for sentences. */
export const byMeaning: ReadCondition = byName(() => true)

/**
 * The same, but a reference that `isNamed` refuses is replaced by its meaning. A share whose seed is the flag's key is as if it had
 * none, so that shares are equal however they were written.
 */
export function byName(isNamed: (reference: Reference) => boolean): ReadCondition {
  return (condition, { key }) =>
    fold(
      condition,
      (node, parts: readonly Condition[]): Condition => {
        if (node.kind === "share") return node.seed === key ? { ...node, seed: undefined } : node
        if ("parts" in node) return { ...node, parts }
        if (node.kind === "comparison") return node
        const [means] = parts
        return means === undefined ? node : isNamed(node) ? { ...node, means } : means
      },
      "meanings",
    )
}
