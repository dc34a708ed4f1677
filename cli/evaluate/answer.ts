import type { Evaluator, RuleExplanation } from "../../sdk/evaluation/evaluator.ts"
import { pathOf, rangeOf } from "../diagnostics/location.ts"
import type { Phrase } from "../diff/phrase.ts"
import type { FlagSet } from "./flag-set.ts"
import type { GivenContext } from "./read-contexts.ts"
import { evaluationSentence, type KnownEvaluation } from "./sentences.ts"

/** What is said about one flag in one context. */
export interface Answer {
  /** The context's line on stdin, counted from 1. */
  readonly line: number | undefined
  readonly environment: string | undefined
  readonly evaluation: KnownEvaluation
  readonly sentence: Phrase
  /** None where the flag is disabled or not configured. */
  readonly rules: readonly AnsweredRule[]
  /** The rule that decided; `undefined` where none did. */
  readonly deciding: AnsweredRule | undefined
}

/** A rule and where it was written: file and line are `undefined` in a snapshot. */
export interface AnsweredRule {
  /** Counted from 0. */
  readonly index: number
  readonly explanation: RuleExplanation
  readonly file: string | undefined
  readonly line: number | undefined
}

/** Evaluates a flag that the set has, and says why. Files are named from `cwd`. */
export function answerOf(
  key: string,
  { context, line }: GivenContext,
  evaluator: Evaluator,
  { environment, locate }: FlagSet,
  cwd: string,
): Answer {
  const explanation = evaluator.explain(key, context)
  const { evaluation } = explanation
  if (evaluation.kind === "unknownFlag") throw new Error(`the document has no flag ${key}`)
  const rules = explanation.rules.map((rule, index): AnsweredRule => {
    const location = locate(key, index)
    return {
      index,
      explanation: rule,
      file: location && pathOf(location, cwd),
      line: location && rangeOf(location).line,
    }
  })
  return {
    line,
    environment,
    evaluation,
    sentence: evaluationSentence(evaluation, explanation, environment),
    rules,
    deciding: rules.find(
      ({ explanation: { isReached, condition } }) => isReached && condition.truth !== false,
    ),
  }
}
