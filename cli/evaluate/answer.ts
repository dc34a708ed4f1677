import type { ConditionExplanation, Evaluator, RuleExplanation } from "../../sdk/evaluation/evaluator.ts"
import { pathOf, rangeOfLocation } from "../diagnostics/location.ts"
import type { Phrase } from "../diagnostics/phrase.ts"
import type { Link } from "../flag/file-facts.ts"
import type { ExplainedCondition } from "./condition-words.ts"
import type { AskedFlag, FlagSet } from "./flag-set.ts"
import type { GivenContext } from "./read-contexts.ts"
import { evaluationSentence, type KnownEvaluation } from "./sentences.ts"

/** The answer about one flag in one context. */
export interface FlagAnswer {
  /** The context's line on stdin, counted from 1. */
  readonly line: number | undefined
  readonly environment: string
  /** The commit or publication that was evaluated; `undefined`: none. */
  readonly revision: string | undefined
  readonly evaluation: KnownEvaluation
  readonly sentence: Phrase
  /** Empty if the flag is disabled or not configured. */
  readonly rules: readonly AnsweredRule[]
  /** The rule that decided; `undefined` if none did. */
  readonly deciding: AnsweredRule | undefined
  /** Links about the flag. */
  readonly links: readonly Link[]
}

/** Where something was written; `undefined` in a publication. */
interface SourceLine {
  readonly file: string | undefined
  readonly line: number | undefined
}

/** A rule and where it was written. */
export interface AnsweredRule extends SourceLine {
  /** Counted from 0. */
  readonly index: number
  readonly explanation: RuleExplanation
  /** The conditions of its group, if it is one. */
  readonly conditions: () => readonly AnsweredCondition[]
}

/** A condition of a group, and where it was written. */
export interface AnsweredCondition extends SourceLine {
  /** Counted from 0. */
  readonly index: number
  /** The group's operator. */
  readonly group: string
  readonly explanation: ConditionExplanation
  readonly conditions: () => readonly AnsweredCondition[]
}

/** Evaluates one of the set's flags and explains the result. File paths are relative to `cwd`. */
export function toFlagAnswer(
  key: string,
  { context, line }: GivenContext,
  evaluator: Evaluator,
  { environment, origin, locate, askedAt, linksOf }: FlagSet,
  cwd: string,
): FlagAnswer {
  const plain = evaluator.explain(key, context)
  const { evaluation } = plain
  const rulesAsked = plain.rules.map((rule, at) => ({
    ...rule,
    condition: naming(rule.condition, (inner) => askedAt?.(key, at, inner)),
  }))
  const explanation = { evaluation, rules: rulesAsked }
  if (evaluation.kind === "unknownFlag") throw new Error(`the document has no flag ${key}`)
  const placeOf = (rule: number, inner: readonly number[]): SourceLine => {
    const location = locate(key, rule, inner)
    return { file: location && pathOf(location, cwd), line: location && rangeOfLocation(location).line }
  }
  const conditionsOf = (
    { operator, reason }: ConditionExplanation,
    rule: number,
    inner: readonly number[],
  ): readonly AnsweredCondition[] =>
    (reason.kind === "group" ? reason.parts : []).map((part, index) => {
      const path = [...inner, index]
      const conditions = () => conditionsOf(part, rule, path)
      return { index, group: operator, explanation: part, conditions, ...placeOf(rule, path) }
    })
  const rules = explanation.rules.map((rule, index): AnsweredRule => {
    const conditions = () => conditionsOf(rule.condition, index, [])
    return { index, explanation: rule, conditions, ...placeOf(index, []) }
  })
  return {
    line,
    environment,
    revision: origin?.revision,
    evaluation,
    sentence: evaluationSentence(evaluation, explanation, environment),
    rules,
    links: linksOf?.(key) ?? [],
    deciding: rules.find(
      ({ explanation: { isReached, condition } }) => isReached && condition.truth !== false,
    ),
  }
}

/** An explanation in which a condition about another flag names that flag instead of the conditions of its rules. */
function naming(
  condition: ConditionExplanation,
  askedAt: (inner: readonly number[]) => AskedFlag | undefined,
  inner: readonly number[] = [],
): ExplainedCondition {
  const asked = askedAt(inner)
  const { reason } = condition
  if (asked !== undefined) return { ...condition, asked, reason: { kind: "group", parts: [] } }
  if (reason.kind !== "group") return condition
  const parts = reason.parts.map((part, at) => naming(part, askedAt, [...inner, at]))
  return { ...condition, reason: { kind: "group", parts } }
}
