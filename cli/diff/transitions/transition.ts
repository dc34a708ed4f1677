import type { Rule } from "../../../proxy/contract/snapshot.ts"
import type { CompileExpression } from "../../../sdk/evaluation/expression.ts"
import { type OperatorScope, scopeOfFlag } from "../../../sdk/evaluation/operators.ts"
import { sameValue } from "../../compile/meaning/canonical-json.ts"
import { addUses } from "../../compile/meaning/open-condition.ts"
import type { ResolvedFlag } from "../../compile/meaning/resolve.ts"
import { sameRule } from "../../compile/meaning/same-rule.ts"
import { conditionName } from "../../conditions/clause.ts"
import { sharesIn } from "../../conditions/share-range.ts"
import type { ConditionNames } from "../../phrases/people.ts"
import { matchRules, type RuleList, type RuleMatch } from "../differences/match-rules.ts"
import { type WrittenRule, writtenRules } from "../differences/written-rules.ts"
import { createMayMeet, type MayMeet } from "./may-meet.ts"
import { type Move, type Moves, movesBetween } from "./moves.ts"
import { noOutcome, type Outcome, outcomesOf } from "./outcomes.ts"

/** What a flag gives in one environment on both sides, and who gets another value. */
export interface Transition extends Moves {
  readonly environment: string
  readonly before: readonly Outcome[]
  readonly after: readonly Outcome[]
  /** Whether the flag is new: then the one outcome before stands for no value. */
  readonly isNew: boolean
  /** Which rule became which; `undefined` unless the flag is configured on both sides. */
  readonly match: RuleMatch | undefined
  readonly names: ConditionNames
  readonly scope: OperatorScope
  /** For why a change has no effect. */
  readonly mayMeet: MayMeet
}

/** Compares what a flag gives in an environment that both sides have; a flag that is new has no `before`. */
export function compareIn(
  environment: string,
  before: ResolvedFlag | undefined,
  after: ResolvedFlag,
  compileExpression: CompileExpression,
): Transition {
  const scope = scopeOfFlag(after.flag.key, { compileExpression })
  const [rules, newRules] = [before && ruleList(before, environment), ruleList(after, environment)]
  const match = rules && newRules && matchRules(rules, newRules)
  const own = { environment, isNew: before === undefined, match, scope, mayMeet: createMayMeet() }
  if (before !== undefined && givesTheSame(before, after, environment))
    return { ...own, before: [], after: [], moves: [], isCutShort: false, names: noNames }
  const outcomes = {
    before: before === undefined ? [noOutcome] : outcomesOf(before, environment, compileExpression),
    after: outcomesOf(after, environment, compileExpression),
  }
  const moves = movesBetween(outcomes.before, outcomes.after)
  const segments = namesOfSegments(rules, newRules)
  return {
    ...own,
    ...outcomes,
    ...moves,
    names: {
      segmentOf: segments,
      ruleOf: rulesOf(outcomes, moves.moves, writtenRules(after, environment)),
    },
  }
}

const noNames: ConditionNames = { segmentOf: () => undefined, ruleOf: () => undefined }

/** Names the segments that rules use directly, as far as both sides have the same ones. */
function namesOfSegments(
  before: RuleList | undefined,
  after: RuleList | undefined,
): ConditionNames["segmentOf"] {
  const used = new Set<string>()
  for (const { condition } of [...(before?.open ?? []), ...(after?.open ?? [])]) addUses(condition, used)
  const names = new Map<string, string>()
  for (const name of used) {
    const [one, other] = [before, after].map((list) => list?.segments.get(name)?.condition)
    if (other !== undefined && (one === undefined || conditionName(one) === conditionName(other)))
      names.set(conditionName(other), name)
  }
  return (condition) => (names.size === 0 ? undefined : names.get(conditionName(condition)))
}

/**
 * Numbers the rules that are the same on both sides and stand before each move on both, or on neither. One that deals shares
 * is said by these.
 */
function rulesOf(
  { before, after }: { readonly before: readonly Outcome[]; readonly after: readonly Outcome[] },
  moves: readonly Move[],
  written: readonly WrittenRule[],
): ConditionNames["ruleOf"] {
  const isNew = before[0] === noOutcome
  const places = new Map(before.map(({ name, value, at }) => [`${value} ${name}`, at]))
  const numbers = new Map<string, number>()
  for (const { rule, name, value, at } of after) {
    const from = isNew ? at : places.get(`${value} ${name}`)
    if (rule === undefined || from === undefined || sharesIn(rule).length > 0) continue
    if (isNew || moves.every((move) => from < move.before.at === at < move.after.at))
      numbers.set(conditionName(rule), written[at]?.number ?? at + 1)
  }
  return (condition) => (numbers.size === 0 ? undefined : numbers.get(conditionName(condition)))
}

function ruleList(
  { configurations, open, definition }: ResolvedFlag,
  environment: string,
): RuleList | undefined {
  const rules = configurations.get(environment)?.rules
  return rules && { rules, open: open?.get(environment)?.rules, segments: definition.segments }
}

/** Whether both sides are written the same way, so that no search is needed; `other` is the environment after, if it is another. */
export function givesTheSame(
  before: ResolvedFlag,
  after: ResolvedFlag,
  environment: string,
  other = environment,
): boolean {
  const isSame = before.configurations.get(environment) === after.configurations.get(other)
  if (isSame && before.flag === after.flag) return true
  const [rules, newRules] = [enabledRules(before, environment), enabledRules(after, other)]
  return (
    sameValue(before.flag.defaultValue, after.flag.defaultValue) &&
    rules.length === newRules.length &&
    rules.every((rule, at) => sameRule(rule, newRules[at] as Rule))
  )
}

function enabledRules({ configurations }: ResolvedFlag, environment: string): readonly Rule[] {
  const configuration = configurations.get(environment)
  return configuration?.enabled ? configuration.rules : []
}
