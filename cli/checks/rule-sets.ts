import type { Json } from "../../sdk/contract/snapshot.ts"
import { parseCondition } from "../../sdk/evaluation/condition.ts"
import type { CompileExpression } from "../../sdk/evaluation/expression.ts"
import type { ContextSet } from "../conditions/context-set.ts"
import type { Outcome } from "../conditions/moves/outcome.ts"
import { outcomesOfRules } from "../flag/outcomes.ts"
import { canonicalJson } from "../language/canonical-json.ts"
import { type Condition, isText, operandText, seededBy, visit } from "../language/condition.ts"
import { createEncode } from "../language/encode.ts"
import type { Flag, Rule } from "../language/flag.ts"
import { operators } from "../language/operators.ts"
import { type OtherFlags, resolved } from "../language/references.ts"
import { loadEngine } from "../reading/grammar/expression-engine.ts"
import { expressionError } from "../reading/grammar/expression-error.ts"
import { conditionMembers } from "../reading/grammar/schema.ts"
import { operandFault } from "../reading/hints/operand-fault.ts"
import type { Project } from "../reading/project.ts"
import { lacksSeed } from "../reading/share.ts"

/**
 * The contexts that match each of some rules; `undefined` if a rule has mistakes, which other checks report. Other flags count
 * as unknown values.
 */
export function ruleSets(
  flag: Flag,
  rules: readonly Rule[],
  { operators: own }: Pick<Project, "operators">,
): readonly (ContextSet | undefined)[] {
  const encode = createEncode(flag.key)
  const outcomes = outcomesOfRules(flag, rules, compileExpression, withAnswers)
  return rules.map((_, at) => {
    const { condition, contexts } = outcomes[at] as Outcome
    const encoded = [...visit(condition, "meanings")].every((part) => isReadable(part, own))
      ? encode(condition)
      : undefined
    const isSendable = encoded !== undefined && parseCondition(encoded).kind !== "unreadable"
    return isSendable ? contexts : undefined
  })
}

/** Whether every evaluator can read the condition, if it can read those in it. */
function isReadable(condition: Condition, own: readonly string[]): boolean {
  switch (condition.kind) {
    case "comparison": {
      const row = operators.get(condition.operator)
      if (row === undefined) return own.includes(condition.operator)
      if (row.takesAttribute && condition.attribute === "") return false
      if (condition.file !== undefined && (condition.operand.length === 0 || !row.takesList)) return false
      return row.operand === "nothing" || operandFault(row.operand, operandText(condition)) === undefined
    }
    case "share": {
      const { by, to, text } = condition
      const isRead = text === undefined ? !Number.isNaN(to) : operandFault("percent", text) === undefined
      return by !== "" && isRead
    }
    case "segment":
      return condition.means !== undefined
    case "flag":
      return condition.means !== undefined && hasOneForm(condition)
    default:
      return hasOneForm(condition) && condition.parts.length > 0
  }
}

/** Whether no other condition is next to a group, a segment, a share or a flag, which `conditions-have-one-form.ts` reports. */
export function hasOneForm({ at }: Condition): boolean {
  const forms = at?.node.members.filter(({ name }) => name !== "is" && conditionMembers.includes(name))
  return forms === undefined || forms.length === 1
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
