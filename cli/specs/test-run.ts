import type { Diagnostic, Location } from "../diagnostics/diagnostic.ts"
import type { CountedOutcome } from "./coverage.ts"
import type { CaseResult } from "./run-spec.ts"

/** Everything that a run of specs found. */
export interface TestRun {
  readonly results: readonly TestResult[]
  /** Errors in specs, which were not run, or in flags, in which case nothing was run. */
  readonly mistakes: readonly Diagnostic[]
  /** `undefined` if not requested. */
  readonly coverage: readonly CoveredOutcome[] | undefined
}

/** The result of a case in one environment. */
export interface TestResult extends CaseResult {
  /** `undefined`: it passed. */
  readonly diagnostic: Diagnostic | undefined
}

/** The diagnostics of failed cases. */
export function failuresOf({ results }: Pick<TestRun, "results">): readonly Diagnostic[] {
  return results.flatMap(({ diagnostic }) => diagnostic ?? [])
}

/** An outcome and its line: the rule's, or that of the flag's default value. */
export interface CoveredOutcome extends CountedOutcome {
  readonly location: Location
}

/** The share of outcomes that some case reaches, in percent; 100 if there are none. */
export function percentCovered(outcomes: readonly CountedOutcome[]): number {
  const covered = outcomes.filter(({ hits }) => hits > 0).length
  return outcomes.length === 0 ? 100 : (covered * 100) / outcomes.length
}
