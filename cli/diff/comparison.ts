import {
  type EffectiveRules,
  effectiveRulesOf,
  type Reordering,
  reorderings,
  sameForAll,
} from "./effective-rules.ts"
import { matchRules, type RuleMatch } from "./match-rules.ts"
import type { FlagOnBothSides, FlagPair } from "./pair-flags.ts"

/** A flag's rules in one environment, on both sides. */
export interface Comparison {
  readonly environment: string
  readonly before: EffectiveRules
  readonly after: EffectiveRules
  /** Whether it is certain that everybody gets the same value on both sides. */
  readonly isSame: boolean
  readonly reorderings: readonly Reordering[]
  /** Which rule became which; `undefined` unless the flag is configured on both sides. */
  readonly match: RuleMatch | undefined
}

/** A flag, with all that is compared of it. Computed once, read by differences, classification and warnings. */
export interface ComparedFlag {
  readonly pair: FlagPair
  /** The environments that both sides have. */
  readonly shared: readonly string[]
  /** By shared environment; empty for a flag that one side alone has. */
  readonly comparisons: ReadonlyMap<string, Comparison>
}

/** Compares a flag's rules in the environments that both sides have. */
export function compareFlag(pair: FlagPair, shared: readonly string[]): ComparedFlag {
  const comparisons =
    pair.kind === "added" || pair.kind === "removed"
      ? []
      : shared.map((environment) => [environment, compare(pair, environment)] as const)
  return { pair, shared, comparisons: new Map(comparisons) }
}

function compare(pair: FlagOnBothSides, environment: string): Comparison {
  const [before, after] = [
    effectiveRulesOf(pair.before, environment),
    effectiveRulesOf(pair.after, environment),
  ]
  const [written, rewritten] = [
    pair.before.configurations.get(environment),
    pair.after.configurations.get(environment),
  ]
  return {
    environment,
    before,
    after,
    isSame: sameForAll(before, after),
    reorderings: reorderings(before.reachable, after.reachable),
    match: written && rewritten && matchRules(written.rules, rewritten.rules),
  }
}
