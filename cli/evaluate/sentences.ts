import type {
  ConditionExplanation,
  Evaluation,
  Explanation,
  RuleExplanation,
} from "../../sdk/evaluation/evaluator.ts"
import { type Phrase, phrase, valueWords } from "../diagnostics/phrase.ts"
import { plural } from "../diagnostics/plural.ts"
import type { RuleNumber } from "../language/flag.ts"
import { whyOf } from "./condition-words.ts"

export type { RuleNumber }

/** The evaluation of a flag that the document has. */
export type KnownEvaluation = Exclude<Evaluation, { kind: "unknownFlag" }>

/** How the rule at a position, counted from 0, is numbered in its file; `undefined`: there is no file. */
export type NumberOf = (at: number) => RuleNumber | undefined

/** The value of a flag and why, in one sentence without its full stop. */
export function evaluationSentence(
  evaluation: KnownEvaluation,
  { rules }: Pick<Explanation, "rules">,
  environment: string,
  numberOf: NumberOf,
): Phrase {
  const at = decidedAt(rules) ?? -1
  const rule = rules[at]
  const name = rule === undefined ? ["a rule"] : ruleName(rule.ruleId, numberOf(at))
  if (evaluation.kind === "unknownOperator")
    return phrase`${evaluation.key} cannot be evaluated here in ${environment}: it depends on ${name}, whose operator ${evaluation.operator} is supported only by the project's SDKs; callers get their own default`
  const subject = phrase`${evaluation.key} is ${valueWords(evaluation.value)} in ${environment}`
  switch (evaluation.cause) {
    case "unconfigured":
      return phrase`${subject}: it is not configured there, so everyone gets the default`
    case "disabled":
      return phrase`${subject}: it is disabled there, so everyone gets the default`
    case "default":
      return rules.length === 0
        ? phrase`${subject}: it has no rules, so everyone gets the default`
        : phrase`${subject}: ${[noneOf(rules, numberOf)]}, so the default applies`
    default:
      return rule === undefined ? subject : phrase`${subject}, because of ${name}: ${whyOf(rule.condition)}`
  }
}

/** The position of the rule that decided; `undefined` if none did. */
export function decidedAt(rules: readonly RuleExplanation[]): number | undefined {
  const at = rules.findIndex(({ isReached, condition }) => isReached && condition.truth !== false)
  return at === -1 ? undefined : at
}

/** A rule by its number; without a file, by its id. */
function ruleName(id: string, numbered: RuleNumber | undefined): Phrase {
  return numbered === undefined ? phrase`rule ${id}` : numberWords(numbered)
}

/** Such as `rule 2`, or `rule 2, arm 1`. */
export function numberWords({ number, arm }: RuleNumber): Phrase {
  return arm === undefined ? phrase`rule ${number}` : phrase`rule ${number}, arm ${arm}`
}

/** That no rule matches. Without a file, it is unknown which of several are the arms of one split, so they are not counted. */
function noneOf(rules: readonly RuleExplanation[], numberOf: NumberOf): string {
  const numbers = rules.map((_, at) => numberOf(at)?.number)
  const count = new Set(numbers).size
  if (rules.length > 1 && numbers.includes(undefined)) return "none of its rules matches"
  return count === 1 ? "its only rule does not match" : `none of its ${plural(count, "rule")} matches`
}

/** Whether a rule matches, and why. For a rule after the one that decided, whether it would match. */
export function ruleSentence(
  { ruleId, isReached, condition }: RuleExplanation,
  numbered: RuleNumber | undefined,
): Phrase {
  const verbs = isReached
    ? { true: "matches", false: "does not match", unknown: "cannot be evaluated" }
    : {
        true: "is not reached; it would match",
        false: "is not reached; it would not match",
        unknown: "is not reached",
      }
  const verb = verbs[`${condition.truth}`]
  return phrase`${ruleName(ruleId, numbered)} ${[verb]}: ${whyOf(condition)}`
}

/** Whether a condition of a group matches, and why. */
export function conditionSentence(condition: ConditionExplanation, group: string, index: number): Phrase {
  const verb = { true: "matches", false: "does not match", unknown: "cannot be evaluated" }[
    `${condition.truth}`
  ]
  return phrase`condition ${index + 1} of ${group} ${[verb]}: ${whyOf(condition)}`
}
