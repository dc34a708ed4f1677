import { type ParsedCondition, parseCondition } from "../../../sdk/evaluation/condition.ts"
import type { CompileExpression } from "../../../sdk/evaluation/expression.ts"
import { isOperator, scopeOfFlag } from "../../../sdk/evaluation/operators.ts"
import { type ContextSet, contextsOf } from "../../conditions/context-set.ts"
import { withCase } from "../../conditions/ignoring-case.ts"
import type { DefinedCondition, DefinedRule, Definition } from "../definition/definition.ts"
import type { Project } from "../definition/project.ts"
import type { Segments } from "../definition/segments.ts"
import { loadEngine } from "../grammar/expression-engine.ts"
import { expressionError } from "../grammar/expression-error.ts"
import { operators } from "../grammar/operators.ts"
import { conditionMembers } from "../grammar/schema.ts"
import { operandFault } from "../hints/operand-fault.ts"
import { openCondition, operandText } from "../meaning/open-condition.ts"
import { createTravel } from "../meaning/travelling.ts"

/** The contexts that match each rule; `undefined` where a rule has mistakes, which other checks report. */
export function ruleSets(
  { key, segments }: Definition,
  rules: readonly DefinedRule[],
  { operators: own }: Pick<Project, "operators">,
): readonly (ContextSet | undefined)[] {
  const scope = scopeOfFlag(key, { compileExpression })
  const travel = createTravel(segments)
  return rules.map(({ condition }) => {
    if (!isSound(condition, segments, own)) return undefined
    const sent = travel(openCondition(condition))
    return parseCondition(sent).kind === "unreadable" ? undefined : contextsOf(sent, scope)
  })
}

/** Whether every evaluator can read the condition. */
function isSound(condition: DefinedCondition, segments: Segments, own: readonly string[]): boolean {
  // What another flag gives in one environment may be nothing in the next one, as meant.
  if (condition.kind === "flag") return false
  if (condition.kind === "segment") {
    const segment = segments.get(condition.name?.text ?? "")
    return segment !== undefined && isSoundSent(parseCondition(segment.condition), own)
  }
  if (condition.kind !== "comparison") {
    const { conditions, node, ofSplit } = condition
    if (ofSplit) return conditions.every((part) => isSound(part, segments, own))
    // What stands beside a group is left out of it, and reported by `conditions-have-one-form.ts`.
    const forms = node.members.filter(({ name }) => conditionMembers.includes(name))
    return (
      forms.length === 1 && conditions.length > 0 && conditions.every((part) => isSound(part, segments, own))
    )
  }
  const { operator, attribute, value } = condition
  const known = operator && operators.get(operator.text)
  if (known === undefined) return operator !== undefined && own.includes(operator.text)
  if (known.takesAttribute && attribute === undefined) return false
  return known.operand === "none" || operandFault(known.operand, operandText(value)) === undefined
}

/** The same of a segment, which lies in another file. */
function isSoundSent(parsed: ParsedCondition, own: readonly string[]): boolean {
  if (parsed.kind === "unreadable") return false
  if (parsed.kind !== "comparison") return parsed.parts.every((part) => isSoundSent(part, own))
  const { operator, attribute, value } = parsed.condition
  if (!isOperator(operator)) return own.includes(operator)
  const known = operators.get(withCase(operator))
  if (known === undefined) return attribute !== "" // a share
  if (known.takesAttribute && attribute === "") return false
  return known.operand === "none" || operandFault(known.operand, value) === undefined
}

/** The engine is loaded for the first text that is compared with an expression: few questions need it. */
const compileExpression: CompileExpression = (source) => {
  if (expressionError(source) !== undefined) return undefined
  let compiled: { test(text: string): boolean } | undefined
  return (text) => {
    compiled ??= loadEngine().RE2JS.compile(source)
    return compiled.test(text)
  }
}
