import type { CompileExpression } from "../../../sdk/evaluation/expression.ts"
import { type Moves, movesBetween } from "../../conditions/moves/moves.ts"
import type { Sides } from "../../conditions/moves/outcome.ts"
import { activeRules, byName, outcomesOf, scopeOf } from "../../flag/outcomes.ts"
import { sameRule } from "../../flag/same-rule.ts"
import { type MaybeClock, readAt } from "../../flag/times.ts"
import { sameValue } from "../../language/canonical-json.ts"
import type { Reference } from "../../language/condition.ts"
import { sameMeaning } from "../../language/encode.ts"
import type { Flag, Rule } from "../../language/flag.ts"
import { meaningIn } from "../../reading/references.ts"
import { matchRules, type RuleMatch } from "../differences/match-rules.ts"
import { createMayMeet, type MayMeet } from "./may-meet.ts"
import { noOutcome } from "./outcomes.ts"

/** What a flag gives in one environment on both sides, and who gets a different value. */
export interface Transition extends Moves, Sides {
  readonly environment: string
  /** Which rule became which; `undefined` unless the flag is configured on both sides. */
  readonly match: RuleMatch | undefined
  /** Used to find out why a change has no effect. */
  readonly mayMeet: MayMeet
}

/**
 * Compares what a flag gives in an environment that both sides have, at one time or for users without one if there is a `clock`,
 * else at any; a flag that is new has no `before`.
 */
export function compareIn(
  environment: string,
  before: Flag | undefined,
  after: Flag,
  compileExpression: CompileExpression,
  clock?: MaybeClock,
): Transition {
  const scope = scopeOf(after, compileExpression)
  const match = before && matchRules(before, after, environment)
  const own = { environment, isNew: before === undefined, match, scope, mayMeet: createMayMeet() }
  if (before !== undefined && givesTheSame(before, after, environment))
    return { ...own, before: [], after: [], moves: [], isCutShort: false }
  const named = byName(before === undefined ? () => true : createIsNamed(before, after))
  const read = clock === undefined ? named : readAt(named, clock)
  const outcomes = {
    // A renamed flag has its seeds written out, so that of its old key is like any other. The types that attributes have after
    // the change are those of its users.
    before:
      before === undefined
        ? [noOutcome]
        : outcomesOf(
            { ...before, key: after.key, attributes: after.attributes },
            environment,
            compileExpression,
            read,
          ),
    after: outcomesOf(after, environment, compileExpression, read),
  }
  return { ...own, ...outcomes, ...movesBetween(outcomes.before, outcomes.after) }
}

/** Whether a reference means the same on both sides, so that its name says who is meant. */
function createIsNamed(before: Flag, after: Flag): (reference: Reference) => boolean {
  const [meaningBefore, meaningAfter] = [before, after].map(({ references }) => meaningIn(references))
  return (reference) => {
    const [was, is] = [meaningBefore?.(reference), meaningAfter?.(reference)]
    return was === undefined || is === undefined || sameMeaning(was, is)
  }
}

/** Whether both sides are written the same way, so that no search is needed; `other` is the environment's name after, if it differs. */
export function givesTheSame(before: Flag, after: Flag, environment: string, other = environment): boolean {
  const [rules, newRules] = [activeRules(before, environment), activeRules(after, other)]
  return (
    sameValue(before.defaultValue, after.defaultValue) &&
    rules.length === newRules.length &&
    rules.every((rule, at) => rule === newRules[at] || sameRule(rule.sent, (newRules[at] as Rule).sent))
  )
}
