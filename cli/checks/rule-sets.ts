import type { Json } from "../../sdk/contract/snapshot.ts"
import type { CompileExpression } from "../../sdk/evaluation/expression.ts"
import type { ContextSet } from "../conditions/context-set.ts"
import type { Outcome } from "../conditions/moves/outcome.ts"
import { outcomesOfRules } from "../flag/outcomes.ts"
import { canonicalJson } from "../language/canonical-json.ts"
import { type Condition, isText, seededBy, visit } from "../language/condition.ts"
import { loadEngine } from "../language/expression-engine.ts"
import type { Flag, Rule } from "../language/flag.ts"
import { type OtherFlags, resolved } from "../language/references.ts"
import { expressionError } from "../reading/grammar/expression-error.ts"
import { lacksSeed } from "../reading/share.ts"
import type { IsSound } from "./sound-rules.ts"

/**
 * The contexts that match each of some rules; `undefined` for one that is not sound, or that uses a segment, a list or a flag that
 * is not. Other flags count as unknown values.
 */
export function ruleSets(
  flag: Flag,
  rules: readonly Rule[],
  isSound: IsSound,
): readonly (ContextSet | undefined)[] {
  const outcomes = outcomesOfRules(flag, rules, compileExpression, withAnswers)
  return rules.map((rule, at) => {
    const { condition, contexts } = outcomes[at] as Outcome
    return isSound(rule) && [...visit(condition, "meanings")].every(isKnown) ? contexts : undefined
  })
}

/** Whether it is known what a condition compares with; a list that could not be read has no lines. */
function isKnown(condition: Condition): boolean {
  if ("means" in condition) return condition.means !== undefined
  return condition.kind !== "comparison" || condition.file === undefined || condition.operand.length > 0
}

/**
 * The condition, with those about other flags as comparisons of those flags' values, whatever their rules: rules may
 * change, so a rule that they shadow in one environment today is not a mistake. A share that lacks the seed that it must have
 * in a segment has one that no flag has as its key.
 */
function withAnswers(condition: Condition, { references: { flags } }: Flag): Condition {
  return resolved(condition, (reference) =>
    reference.kind === "flag"
      ? flags && answerOf(reference.key, reference.is, flags)
      : reference.means && seededBy(noKey, reference.means, lacksSeed),
  )
}

const noKey = "\0"

/**
 * The condition that a flag gives a value; `undefined` if it never does. Different values exclude each other;
 * a boolean's two values cover everyone.
 */
function answerOf(key: string, gives: Json, flags: OtherFlags): Condition | undefined {
  const flag = flags.get(key)
  const values = flag?.isBoolean ? ["false", "true"] : [...new Set(flag?.values.map(canonicalJson))]
  const at = values.indexOf(canonicalJson(gives))
  if (at === -1) return undefined
  const [given, ...before] = values
    .slice(0, at + 1)
    .reverse()
    .map((value) => isText(`\0${key}`, value))
  // A list can equal several strings, so each value also excludes those before it.
  if (given === undefined || before.length === 0) return given
  const others: Condition = { kind: "none", parts: before }
  return flag?.isBoolean ? others : { kind: "all", parts: [others, given] }
}

/** Loads the engine for the first string that is compared with an expression, because it is rarely needed. */
const compileExpression: CompileExpression = (source) => {
  if (expressionError(source) !== undefined) return undefined
  let compiled: { test(text: string): boolean } | undefined
  return (text) => {
    compiled ??= loadEngine().RE2JS.compile(source)
    return compiled.test(text)
  }
}
