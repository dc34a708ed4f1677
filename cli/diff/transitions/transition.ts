import type { Rule } from "../../../proxy/contract/snapshot.ts"
import type { CompileExpression } from "../../../sdk/evaluation/expression.ts"
import { sameValue } from "../../compile/meaning/canonical-json.ts"
import type { ResolvedFlag } from "../../compile/meaning/resolve.ts"
import { sameRule } from "../../compile/meaning/same-rule.ts"
import { matchRules, type RuleList, type RuleMatch } from "../differences/match-rules.ts"
import type { FlagOnBothSides, FlagPair } from "../sides/pair-flags.ts"
import { createMayMeet, type MayMeet } from "./may-meet.ts"
import { type Moves, movesBetween } from "./moves.ts"
import { type Outcome, outcomesOf } from "./outcomes.ts"

/** What a flag gives in one environment on both sides, and who gets another value. */
export interface Transition extends Moves {
  readonly environment: string
  readonly before: readonly Outcome[]
  readonly after: readonly Outcome[]
  /** Which rule became which; `undefined` unless the flag is configured on both sides. */
  readonly match: RuleMatch | undefined
  /** For the sentences about it: all of them share one bound. */
  readonly mayMeet: MayMeet
}

/** A flag and its transitions, which are made once and read by changes and warnings. */
export interface ComparedFlag {
  readonly pair: FlagPair
  /** The environments that both sides have. */
  readonly shared: readonly string[]
  /** By shared environment; empty unless both sides have the flag under the same key. */
  readonly transitions: ReadonlyMap<string, Transition>
}

/** Compares what a flag gives in the environments that both sides have. */
export function compareFlag(
  pair: FlagPair,
  shared: readonly string[],
  compileExpression: CompileExpression,
): ComparedFlag {
  const transitions =
    pair.kind === "kept"
      ? shared.map((environment) => [environment, compare(pair, environment, compileExpression)] as const)
      : []
  return { pair, shared, transitions: new Map(transitions) }
}

function compare(
  { before, after }: FlagOnBothSides,
  environment: string,
  compileExpression: CompileExpression,
): Transition {
  const [rules, newRules] = [ruleList(before, environment), ruleList(after, environment)]
  const match = rules && newRules && matchRules(rules, newRules)
  const mayMeet = createMayMeet()
  if (givesTheSame(before, after, environment))
    return { environment, before: [], after: [], moves: [], isCutShort: false, match, mayMeet }
  const outcomes = {
    before: outcomesOf(before, environment, compileExpression),
    after: outcomesOf(after, environment, compileExpression),
  }
  return { environment, ...outcomes, ...movesBetween(outcomes.before, outcomes.after), match, mayMeet }
}

function ruleList(
  { configurations, open, definition }: ResolvedFlag,
  environment: string,
): RuleList | undefined {
  const rules = configurations.get(environment)?.rules
  return rules && { rules, open: open?.get(environment)?.rules, segments: definition.segments }
}

/** Whether both sides are written alike, so that no search is needed. */
export function givesTheSame(before: ResolvedFlag, after: ResolvedFlag, environment: string): boolean {
  const isSame = before.configurations.get(environment) === after.configurations.get(environment)
  if (isSame && before.flag === after.flag) return true
  const [one, other] = [enabledRules(before, environment), enabledRules(after, environment)]
  return (
    sameValue(before.flag.defaultValue, after.flag.defaultValue) &&
    one.length === other.length &&
    one.every((rule, at) => sameRule(rule, other[at] as Rule))
  )
}

function enabledRules({ configurations }: ResolvedFlag, environment: string): readonly Rule[] {
  const configuration = configurations.get(environment)
  return configuration?.enabled ? configuration.rules : []
}
