import type { Rule } from "../../../sdk/contract/snapshot.ts"
import type { CompileExpression } from "../../../sdk/evaluation/expression.ts"
import { type Moves, movesBetween } from "../../conditions/moves/moves.ts"
import type { Sides } from "../../conditions/moves/outcome.ts"
import type { ResolvedFlag } from "../../flag/resolve.ts"
import { sameRule } from "../../flag/same-rule.ts"
import { sameValue } from "../../language/canonical-json.ts"
import type { Reference } from "../../language/condition.ts"
import { sameMeaning } from "../../language/encode.ts"
import { meaningIn } from "../../reading/segments.ts"
import { matchRules, type RuleList, type RuleMatch } from "../differences/match-rules.ts"
import { createMayMeet, type MayMeet } from "./may-meet.ts"
import { noOutcome, outcomesOf, scopeOf } from "./outcomes.ts"

/** What a flag gives in one environment on both sides, and who gets a different value. */
export interface Transition extends Moves, Sides {
  readonly environment: string
  /** Which rule became which; `undefined` unless the flag is configured on both sides. */
  readonly match: RuleMatch | undefined
  /** Used to find out why a change has no effect. */
  readonly mayMeet: MayMeet
}

/** Compares what a flag gives in an environment that both sides have; a flag that is new has no `before`. */
export function compareIn(
  environment: string,
  before: ResolvedFlag | undefined,
  after: ResolvedFlag,
  compileExpression: CompileExpression,
): Transition {
  const scope = scopeOf(after, compileExpression)
  const [rules, newRules] = [before && ruleList(before, environment), ruleList(after, environment)]
  const match = rules && newRules && matchRules(rules, newRules)
  const own = { environment, isNew: before === undefined, match, scope, mayMeet: createMayMeet() }
  if (before !== undefined && givesTheSame(before, after, environment))
    return { ...own, before: [], after: [], moves: [], isCutShort: false }
  const isNamed = before === undefined ? undefined : createIsNamed(before, after)
  const outcomes = {
    before: before === undefined ? [noOutcome] : outcomesOf(before, environment, scope, isNamed),
    after: outcomesOf(after, environment, scope, isNamed),
  }
  return { ...own, ...outcomes, ...movesBetween(outcomes.before, outcomes.after) }
}

/** Whether a reference means the same on both sides, so that its name says who is meant. */
function createIsNamed(before: ResolvedFlag, after: ResolvedFlag): (reference: Reference) => boolean {
  const [meaningBefore, meaningAfter] = [before, after].map(({ definition }) =>
    meaningIn(definition.segments),
  )
  return (reference) => {
    const [was, is] = [meaningBefore?.(reference), meaningAfter?.(reference)]
    return was === undefined || is === undefined || sameMeaning(was, is)
  }
}

function ruleList(
  { configurations, referring, definition }: ResolvedFlag,
  environment: string,
): RuleList | undefined {
  const rules = configurations.get(environment)?.rules
  return rules && { rules, unencoded: referring?.get(environment)?.rules, segments: definition.segments }
}

/** Whether both sides are written the same way, so that no search is needed; `other` is the environment's name after, if it differs. */
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
