import type { Context, Evaluation } from "../../sdk/evaluation/evaluation.ts"
import { codes } from "../diagnostics/codes.ts"
import type { Diagnostic } from "../diagnostics/diagnostic.ts"
import { maskSecrets } from "../diagnostics/mask-secrets.ts"
import { phrase, plainPhrase, shownLength, valueWords } from "../diagnostics/phrase.ts"
import { plural } from "../diagnostics/plural.ts"
import { withEarlierShares } from "../evaluate/condition-words.ts"
import { decidedAt, evaluationSentence } from "../evaluate/sentences.ts"
import { canonicalJson, sameValue } from "../language/canonical-json.ts"
import { valueStep } from "../phrases/value-step.ts"
import type { CaseResult, Mismatch, SpecWorld } from "./run-spec.ts"
import type { ExpectedAnswer, ExpectedShare } from "./spec.ts"

/** A failed case as a diagnostic at its expectation, with the rule that decided instead; `undefined` if it passed. */
export function diagnoseCase(result: CaseResult, world: SpecWorld): Diagnostic | undefined {
  const { failure, spec, specCase, contexts, environment } = result
  if (failure === undefined) return undefined
  const location = { source: spec.source, span: specCase.span }
  const diagnostic = { ...codeAndSeverity, location, related: [], fix: undefined }
  if (failure.kind === "share") {
    const sentence = shareSentence(spec.flag, environment, failure.expected, failure.actual)
    return { ...diagnostic, message: `${sentence}.` }
  }
  const { first, failed } = failure
  const { why, rule: at, evaluation } = explain(spec.flag, first, world)
  const others = contexts === 1 ? "" : ` (${failed} of ${plural(contexts, "combination")} fail)`
  const message = `Expected ${expectedWords(first.expected)}, but ${why}.${differenceWords(evaluation, first.expected)} Context: ${contextText(first.context)}${others}`
  const rule = at === undefined ? undefined : world.locate(spec.flag, at)
  const related = rule === undefined ? [] : [{ message: "This rule decided.", location: rule }]
  return { ...diagnostic, message, related }
}

const codeAndSeverity = { code: "failed-case", severity: codes["failed-case"] } as const

function explain(flag: string, { context }: Mismatch, world: SpecWorld) {
  const explanation = world.evaluator.explain(flag, context)
  const { evaluation } = explanation
  const rules = withEarlierShares(explanation.rules)
  if (evaluation.kind === "unknownFlag") throw new Error(`the specs name a flag that does not exist: ${flag}`)
  const numberOf = (at: number) => world.numberOf?.(flag, at)
  return {
    why: plainPhrase(evaluationSentence(evaluation, { rules }, world.environment, numberOf)),
    rule: decidedAt(rules),
    evaluation,
  }
}

/** Where two long values differ, which are cut short above; `""` for others, and if they differ in a masked secret alone. */
function differenceWords(evaluation: Evaluation, { value }: ExpectedAnswer): string {
  if (evaluation.kind !== "evaluated" || value === undefined || sameValue(evaluation.value, value)) return ""
  const isLong = [evaluation.value, value].every((one) => JSON.stringify(one).length > shownLength)
  const isMasked = maskSecrets(canonicalJson(evaluation.value)) === maskSecrets(canonicalJson(value))
  return isLong && !isMasked ? ` To pass, it needs: ${plainPhrase(valueStep(evaluation.value, value))}.` : ""
}

function expectedWords({ value, rule, cause }: ExpectedAnswer): string {
  const parts = [
    value === undefined ? [] : [plainPhrase(valueWords(value))],
    rule === undefined ? [] : [plainPhrase(phrase`rule ${rule}`)],
    cause === undefined ? [] : [plainPhrase(phrase`cause ${cause}`)],
  ]
  return parts.flat().join(", ")
}

function shareSentence(flag: string, environment: string, expected: ExpectedShare, actual: number): string {
  const { value, by, of, is, tolerance } = expected
  const within = tolerance === 0 ? "" : ` ± ${tolerance}`
  return plainPhrase(
    phrase`Expected ${[`${is}${within}`]} % of ${of} contexts by ${by} to get ${valueWords(value)}, but ${[percent(actual)]} % do: ${flag} in ${environment}`,
  )
}

/** With at most four decimals, without trailing zeros. */
export function percent(share: number): string {
  return String(Number(share.toFixed(4)))
}

const mostCharacters = 200

/** The context as JSON, cut short. */
export function contextText(context: Context): string {
  const text = JSON.stringify(context)
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text
}
