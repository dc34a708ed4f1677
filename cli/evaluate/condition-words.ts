import { isGroup } from "../../sdk/evaluation/condition.ts"
import type { ConditionExplanation, Reason, RuleExplanation } from "../../sdk/evaluation/evaluator.ts"
import { parseShare } from "../../sdk/evaluation/share-range.ts"
import { joinLast, joinPhrases, type Phrase, phrase, plainPhrase, valueWords } from "../diagnostics/phrase.ts"
import { listOf, presenceAsked } from "../language/comparisons.ts"
import { operatorOf } from "../language/operators.ts"
import type { AskedFlag } from "./flag-set.ts"

/** An explanation that may name the flag that a condition depends on, or the shares that earlier rules take. */
export interface ExplainedCondition extends ConditionExplanation {
  readonly asked?: AskedFlag
  /** The shares of earlier rules that this context would be in if its attribute fell lower. */
  readonly missed?: readonly ConditionExplanation[]
}

/** Why a condition holds or not: clauses such as `plan` is `free`, not `pro`. */
export function whyOf(condition: ExplainedCondition): Phrase {
  const { attribute, operator, reason, asked } = condition
  if (asked !== undefined) return whyAsked(asked, condition.truth)
  switch (reason.kind) {
    case "always":
      return phrase`it matches everyone`
    case "missing":
      return phrase`the context has no ${attribute}`
    case "object":
      return presenceAsked(operator) === undefined
        ? phrase`${attribute} is an object, which cannot be compared`
        : phrase`the context has ${attribute}`
    case "compared":
      return whyCompared(condition, reason)
    case "share":
      return whyInShare(condition, reason)
    case "group":
      return whyGroup(condition)
    case "unreadable":
      return phrase`the value of ${operator} cannot be read, so the condition matches no one`
    case "unknownOperator":
      return phrase`${operator} is a custom operator, which only the project's SDKs support`
  }
}

function whyAsked({ key, gives, isBoolean }: AskedFlag, truth: ConditionExplanation["truth"]): Phrase {
  const given = phrase`the flag ${key} gives`
  if (truth === "unknown")
    return phrase`whether ${given} ${valueWords(gives)} depends on an operator that only the project's SDKs support`
  if (truth) return phrase`${given} ${valueWords(gives)}`
  return isBoolean
    ? phrase`${given} ${valueWords(gives !== true)}, not ${valueWords(gives)}`
    : phrase`the flag ${key} does not give ${valueWords(gives)}`
}

function whyInShare(
  { attribute, value, truth, missed }: ExplainedCondition,
  { text, percent }: Shared,
): Phrase {
  const range = parseShare(value)
  const given = phrase`${attribute} is ${text}, which falls at ${floored(percent)} %`
  const seeded = range === undefined ? given : phrase`${given} with the seed ${range.seed}`
  const { from, to } = endsOf(value)
  // An arm's share ends where the next one begins, but is asked from 0, after those before it.
  const taken = (missed ?? []).filter(
    (other) => other.attribute === attribute && parseShare(other.value)?.seed === range?.seed,
  )
  const ends = taken.map((other) => endsOf(other.value).to).filter((end) => end <= percent)
  const start = Math.max(from, ...ends)
  if (start === 0) return phrase`${seeded}, ${[truth === true ? "below" : "not below"]} ${`${to}`} %`
  return phrase`${seeded}, ${[truth === true ? "within" : "outside"]} ${`${start}`} to ${`${to}`} %`
}

/** The ends of a `percentage` or a `share`, in percent. */
function endsOf(value: string): { readonly from: number; readonly to: number } {
  const range = parseShare(value)
  return range ? { from: range.from / 2 ** 32, to: range.to / 2 ** 32 } : { from: 0, to: Number(value) }
}

/** The explanations of a flag's rules, in which each share that holds knows the shares of earlier rules. */
export function withEarlierShares(rules: readonly RuleExplanation[]): readonly RuleExplanation[] {
  const missed = rules.map(({ condition }) => shareMissed(condition))
  return rules.map((rule, at) => {
    const earlier = missed.slice(0, at).filter((share) => share !== undefined)
    return { ...rule, condition: knowing(rule.condition, earlier) }
  })
}

function knowing(
  condition: ConditionExplanation,
  missed: readonly ConditionExplanation[],
): ExplainedCondition {
  const { reason } = condition
  if (reason.kind === "share" && condition.truth === true) return { ...condition, missed }
  if (reason.kind !== "group") return condition
  return { ...condition, reason: { kind: "group", parts: reason.parts.map((part) => knowing(part, missed)) } }
}

/** The share that alone keeps a context out of a condition; `undefined` if there is none. */
function shareMissed(condition: ConditionExplanation): ConditionExplanation | undefined {
  const { truth, reason } = condition
  if (truth !== false) return undefined
  if (reason.kind === "share") return condition
  const [part, ...others] = reason.kind === "group" ? reason.parts.filter((each) => each.truth !== true) : []
  return part !== undefined && others.length === 0 && isGroup(condition, "all")
    ? shareMissed(part)
    : undefined
}

function whyGroup(condition: ConditionExplanation): Phrase {
  const deciding = decidingParts(condition)
  const [only, ...others] = deciding
  if (only !== undefined && others.length === 0) return whyOf(only)
  const shown = deciding.slice(0, mostParts).map(bracketed)
  const more = deciding.length - shown.length
  if (more > 0) return phrase`${joinPhrases(shown, "; ")}; and ${more} more`
  const hasComma = shown.flat().some((part) => typeof part === "string" && part.includes(","))
  return joinPhrases(shown, hasComma ? ", and " : " and ")
}

/** The parts that decide a group: those with its truth, or the opposite for `none`; of those with the same reason, one. */
function decidingParts(condition: ConditionExplanation): readonly ConditionExplanation[] {
  const { truth, reason } = condition
  if (reason.kind !== "group") return []
  const inner = truth === "unknown" ? truth : isGroup(condition, "none") ? !truth : truth
  const deciding = reason.parts.filter((part) => part.truth === inner)
  return [...new Map(deciding.map((part) => [plainPhrase(whyOf(part)), part])).values()]
}

/** Puts brackets around several clauses of a nested group. */
function bracketed(part: ConditionExplanation): Phrase {
  const deciding = decidingParts(part)
  const [only, ...others] = deciding
  if (only !== undefined && others.length === 0) return bracketed(only)
  return deciding.length > 1 ? phrase`(${whyOf(part)})` : whyOf(part)
}

type Compared = Extract<Reason, { kind: "compared" }>
type Shared = Extract<Reason, { kind: "share" }>

function whyCompared(condition: ConditionExplanation, reason: Compared): Phrase {
  const given = givenWords(condition.attribute, reason)
  const operator = operatorOf(condition.operator)
  if (operator === undefined) return given
  const { question, ignoresCase, negates } = operator
  switch (question.kind) {
    case "always":
      return given
    case "presence":
      return phrase`the context has ${condition.attribute}`
    case "share":
      return phrase`${given}, ${[reason.isList ? "and a list" : "so it"]} is in no share`
  }
  const items = listOf(condition)
  const cased = ignoresCase ? phrase` (ignoring case)` : phrase``
  const operand = phrase`${items === undefined ? phrase`${condition.value}` : listed(items)}${cased}`
  const holds = (condition.truth === true) === (negates === undefined)
  const [does, doesNot] = question.verbs
  if (!reason.isList) {
    if (question.kind === "texts" && !question.isList && !ignoresCase)
      return holds ? given : phrase`${given}, not ${operand}`
    const [one, another] = items ?? []
    if (!holds && one !== undefined && another === undefined) return phrase`${given}, not ${one}${cased}`
    return phrase`${given}, which ${[holds ? does : doesNot]} ${operand}`
  }
  if (question.kind === "version" && question.isOther)
    return holds
      ? phrase`${given}, which contains a version, but not ${operand}`
      : phrase`${given}, which contains no version, or contains ${operand}`
  return phrase`${given}, ${[holds ? "one" : "none"]} of which ${[does]} ${operand}`
}

function givenWords(attribute: string, { texts, isList }: Compared): Phrase {
  if (isList)
    return texts.length === 0
      ? phrase`${attribute} is a list without strings`
      : phrase`${attribute} is the list of ${listed(texts)}`
  const [text = ""] = texts
  return text === "" ? phrase`${attribute} is empty` : phrase`${attribute} is ${text}`
}

function listed(texts: readonly string[]): Phrase {
  const shown = texts.slice(0, mostParts).map((text) => phrase`${text}`)
  const more = texts.length - shown.length
  return more > 0 ? phrase`${joinPhrases(shown, ", ")} and ${more} more` : joinLast(shown, "and")
}

const mostParts = 5

/** Rounded down, so that it is below a limit with as many digits if and only if the share is. */
function floored(percent: number): string {
  return String(Math.floor(percent * 10_000) / 10_000)
}
