import type { Json } from "../../../proxy/contract/snapshot.ts"
import { type Condition, type ParsedCondition, parseCondition } from "../../../sdk/evaluation/condition.ts"
import type { CompileExpression } from "../../../sdk/evaluation/expression.ts"
import { isOperator, scopeOfFlag } from "../../../sdk/evaluation/operators.ts"
import { groupOf } from "../../conditions/clause.ts"
import { type ContextSet, contextsOfParsed } from "../../conditions/context-set.ts"
import { isAnyOf } from "../../language/comparisons.ts"
import { operatorOf, operators } from "../../language/operators.ts"
import type { DefinedCondition, DefinedRule, Definition } from "../definition/definition.ts"
import type { Project } from "../definition/project.ts"
import type { OtherFlags, Segments } from "../definition/segments.ts"
import { loadEngine } from "../grammar/expression-engine.ts"
import { expressionError } from "../grammar/expression-error.ts"
import { conditionMembers } from "../grammar/schema.ts"
import { operandFault } from "../hints/operand-fault.ts"
import { canonicalJson } from "../meaning/canonical-json.ts"
import { openCondition, operandText, parseFlagUse } from "../meaning/open-condition.ts"
import { createToWire } from "../meaning/wire-condition.ts"
import type { MappingNode } from "../yaml/tree.ts"

/** The contexts that match each rule; `undefined` if a rule has mistakes, which other checks report. */
export function ruleSets(
  { key, segments }: Definition,
  rules: readonly DefinedRule[],
  { operators: own }: Pick<Project, "operators">,
): readonly (ContextSet | undefined)[] {
  const scope = scopeOfFlag(key, { compileExpression })
  const toWire = createToWire(withAnswers(segments))
  return rules.map(({ condition }) => {
    if (!isSound(condition, segments, own)) return undefined
    const sent = parseCondition(toWire(openCondition(condition)))
    return sent.kind === "unreadable" ? undefined : contextsOfParsed(sent, scope)
  })
}

/** Whether every evaluator can read the condition. */
function isSound(condition: DefinedCondition, segments: Segments, own: readonly string[]): boolean {
  if (condition.kind === "flag") {
    const { key, gives, node } = condition
    const isKnown = segments.flags && answerOf(key?.text ?? "", gives, segments.flags) !== undefined
    return isKnown === true && formsIn(node).length === 1
  }
  if (condition.kind === "segment") {
    const segment = segments.get(condition.name?.text ?? "")
    return segment !== undefined && isSoundSent(parseCondition(segment.condition), own)
  }
  if (condition.kind !== "comparison") {
    const { conditions, node, ofSplit } = condition
    if (ofSplit) return conditions.every((part) => isSound(part, segments, own))
    return (
      formsIn(node).length === 1 &&
      conditions.length > 0 &&
      conditions.every((part) => isSound(part, segments, own))
    )
  }
  const { operator, attribute, value } = condition
  const known = operator && operators.get(operator.text)
  if (known === undefined) return operator !== undefined && own.includes(operator.text)
  if (known.takesAttribute && attribute === undefined) return false
  return known.operand === "nothing" || operandFault(known.operand, operandText(value)) === undefined
}

/** The members that form a condition. `conditions-have-one-form.ts` reports those next to a group or a flag. */
function formsIn({ members }: MappingNode) {
  return members.filter(({ name }) => name !== "is" && conditionMembers.includes(name))
}

/**
 * The segments, with conditions about other flags as comparisons of those flags' values, whatever their rules: rules may
 * change, so a rule that they shadow in one environment today is not a mistake.
 */
function withAnswers(segments: Segments): Segments {
  const { flags } = segments
  const get: Segments["get"] = (name) => {
    const [, key = "", gives = null] = parseFlagUse(name) ?? []
    const condition = flags && key !== "" ? answerOf(key, gives, flags) : undefined
    return condition === undefined ? segments.get(name) : { condition, depth: 0, conditions: 0 }
  }
  return { ...segments, get }
}

/**
 * The condition that a flag gives a value; `undefined` if it never does. Different values exclude each other;
 * a boolean's two values cover everyone.
 */
function answerOf(key: string, gives: Json, flags: OtherFlags): Condition | undefined {
  const flag = flags.get(key)
  const values = flag?.isBoolean ? ["false", "true"] : [...new Set(flag?.values.map(canonicalJson))]
  const at = values.indexOf(canonicalJson(gives))
  if (at === -1) return undefined
  const [own, ...before] = values
    .slice(0, at + 1)
    .reverse()
    .map((value) => isAnyOf(`\0${key}`, [value]))
  // A list can equal several strings, so each value also excludes those before it.
  if (own === undefined || before.length === 0) return own
  const others = groupOf("none", before)
  return flag?.isBoolean ? others : groupOf("all", [others, own])
}

/** The same for a segment's condition, which is in another file. */
function isSoundSent(parsed: ParsedCondition, own: readonly string[]): boolean {
  if (parsed.kind === "unreadable") return false
  if (parsed.kind !== "comparison") return parsed.parts.every((part) => isSoundSent(part, own))
  const { operator, attribute, value } = parsed.condition
  if (!isOperator(operator)) return own.includes(operator)
  const known = operators.get(operatorOf(operator)?.name ?? "")
  if (known === undefined) return attribute !== "" // a share
  if (known.takesAttribute && attribute === "") return false
  return known.operand === "nothing" || operandFault(known.operand, value) === undefined
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
