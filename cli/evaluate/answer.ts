import type { Json } from "../../sdk/contract/snapshot.ts"
import type { ConditionExplanation, Evaluator } from "../../sdk/evaluation/evaluator.ts"
import { momentOf } from "../../sdk/evaluation/moment.ts"
import { pathOf, rangeOfLocation } from "../diagnostics/location.ts"
import { standingWords } from "../diagnostics/moment-words.ts"
import { phrase, plainPhrase } from "../diagnostics/phrase.ts"
import type { Link } from "../flag/file-facts.ts"
import type { RuleNumber } from "../language/flag.ts"
import { type ExplainedCondition, withEarlierShares } from "./condition-words.ts"
import type { FlagSet } from "./flag-set.ts"
import type { GivenContext } from "./read-contexts.ts"
import {
  conditionSentence,
  decidedAt,
  evaluationSentence,
  type KnownEvaluation,
  ruleSentence,
} from "./sentences.ts"

/** The answer about one flag in one context: what `--format json` prints, member by member. */
export interface FlagAnswer {
  /** The context's line on stdin, counted from 1. */
  readonly context: number | undefined
  readonly key: string
  readonly environment: string
  /** The commit or publication that was evaluated; `undefined`: none. */
  readonly revision: string | undefined
  /** `undefined` if it cannot be known. */
  readonly value: Json | undefined
  readonly cause: Extract<KnownEvaluation, { kind: "evaluated" }>["cause"] | "unknownOperator"
  /** The rule that decided; `null` if none did. */
  readonly rule: RulePlace | null
  readonly sentence: string
  /** Where the ramps of its rules stand; absent: it has none. */
  readonly ramps?: readonly StandingRamp[]
  /** Only if explained; empty if the flag is disabled or not configured. */
  readonly rules?: readonly AnsweredRule[]
  /** Only if explained, and there are any. */
  readonly links?: readonly Link[]
}

/** Where something was written; `undefined` in a publication. */
interface SourceLine {
  readonly file: string | undefined
  readonly line: number | undefined
}

/** A rule and where it was written. It has numbers only in a file. */
export interface RulePlace extends SourceLine, Partial<RuleNumber> {
  readonly id: string
}

/** Where a ramp stands at the context's time or, if it has none, at the time that was asked about. */
interface StandingRamp {
  /** The rule's number in its file; without a file, its id. */
  readonly rule: number | string
  /** In percent; `null`: no stage has begun. */
  readonly share: number | null
  readonly sentence: string
}

interface AnsweredRule extends RulePlace, Omit<AnsweredCondition, "number"> {
  readonly isReached: boolean
}

/** A condition of a group, and where it was written. */
export interface AnsweredCondition extends SourceLine {
  /** Counted from 1. */
  readonly number: number
  /** `null` if it cannot be known. */
  readonly matches: boolean | null
  readonly sentence: string
  /** `undefined` if it is not a group. */
  readonly conditions: readonly AnsweredCondition[] | undefined
}

/** What the answers about a set of flags have in common. */
export interface Asked {
  readonly set: FlagSet
  readonly evaluator: Evaluator
  readonly isExplained: boolean
  /** File paths are relative to it. */
  readonly cwd: string
  /** In milliseconds since the epoch. */
  readonly now: number
}

/** Evaluates one of the set's flags. */
export function toFlagAnswer(
  key: string,
  { context, line }: GivenContext,
  { set, evaluator, isExplained, cwd, now }: Asked,
): FlagAnswer {
  const { environment, origin, linksOf } = set
  const plain = evaluator.explain(key, context)
  const { evaluation } = plain
  if (evaluation.kind === "unknownFlag") throw new Error(`the document has no flag ${key}`)
  const rules = withEarlierShares(plain.rules).map((rule, at) => {
    return { ...rule, condition: naming(rule.condition, key, at, set) }
  })
  const numberOf = (at: number) => set.numberOf?.(key, at)
  const placeOf = (at: number): RulePlace => {
    return { ...numberOf(at), id: rules[at]?.ruleId ?? "", ...sourceLine(key, at, [], set, cwd) }
  }
  const deciding = decidedAt(rules)
  const links = linksOf?.(key) ?? []
  const ramps = standingRamps(key, context, set, now)
  return {
    ...{ context: line, key, environment, revision: origin?.revision },
    value: evaluation.kind === "evaluated" ? evaluation.value : undefined,
    cause: evaluation.kind === "evaluated" ? evaluation.cause : evaluation.kind,
    rule: deciding === undefined ? null : placeOf(deciding),
    sentence: plainPhrase(evaluationSentence(evaluation, { rules }, environment, numberOf)),
    ...(ramps.length > 0 && { ramps }),
    ...(isExplained && {
      rules: rules.map((rule, at) => ({
        ...placeOf(at),
        matches: knownTruth(rule.condition),
        isReached: rule.isReached,
        sentence: plainPhrase(ruleSentence(rule, numberOf(at))),
        conditions: conditionsOf(rule.condition, [], (inner) => sourceLine(key, at, inner, set, cwd)),
      })),
    }),
    ...(isExplained && links.length > 0 && { links }),
  }
}

function standingRamps(
  key: string,
  context: GivenContext["context"],
  { timed }: FlagSet,
  now: number,
): readonly StandingRamp[] {
  if (timed === undefined) return []
  const own = momentOf(context[timed.clock])
  const at = own ?? timed.asOf ?? now
  const why =
    timed.clock in context
      ? phrase`${timed.clock} is neither a date nor a time with a zone`
      : phrase`the context has no time in ${timed.clock}`
  const missing = own === undefined ? phrase`; ${why}, so it is in no stage` : []
  const ramps = timed.rampsOf(key).map(({ rule, of, stages }) => {
    const whose = of === undefined ? phrase`rule ${rule}` : phrase`the ${[of.kind]} ${of.name}`
    return {
      rule,
      share: stages.findLast(({ from }) => from <= at)?.share ?? null,
      sentence: plainPhrase(phrase`the ramp of ${whose}: ${[standingWords(stages, at)]}${missing}`),
    }
  })
  return [...new Map(ramps.map((ramp) => [ramp.sentence, ramp])).values()]
}

/** The conditions of a group, at a path of positions in the lists of groups; `undefined` if it is none. */
function conditionsOf(
  { operator, reason }: ConditionExplanation,
  path: readonly number[],
  lineOf: (path: readonly number[]) => SourceLine,
): readonly AnsweredCondition[] | undefined {
  if (reason.kind !== "group" || reason.parts.length === 0) return undefined
  return reason.parts.map((part, at) => ({
    number: at + 1,
    ...lineOf([...path, at]),
    matches: knownTruth(part),
    sentence: plainPhrase(conditionSentence(part, operator, at)),
    conditions: conditionsOf(part, [...path, at], lineOf),
  }))
}

function sourceLine(
  key: string,
  rule: number,
  path: readonly number[],
  { locate }: FlagSet,
  cwd: string,
): SourceLine {
  const location = locate(key, rule, path)
  return { file: location && pathOf(location, cwd), line: location && rangeOfLocation(location).line }
}

function knownTruth({ truth }: ConditionExplanation): boolean | null {
  return truth === "unknown" ? null : truth
}

/** An explanation in which a condition about another flag names that flag instead of the conditions of its rules. */
function naming(
  condition: ConditionExplanation,
  key: string,
  rule: number,
  set: FlagSet,
  path: readonly number[] = [],
): ExplainedCondition {
  const asked = set.askedAt?.(key, rule, path)
  const { reason } = condition
  if (asked !== undefined) return { ...condition, asked, reason: { kind: "group", parts: [] } }
  if (reason.kind !== "group") return condition
  const parts = reason.parts.map((part, at) => naming(part, key, rule, set, [...path, at]))
  return { ...condition, reason: { kind: "group", parts } }
}
