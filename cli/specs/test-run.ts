import type { Diagnostic, Location } from "../diagnostics/diagnostic.ts"
import { plural } from "../diagnostics/plural.ts"
import type { CountedOutcome } from "./coverage.ts"
import { type DisabledFlag, disabledWords } from "./disabled-flag.ts"
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
  /** `undefined`: it passed, or was not run. */
  readonly diagnostic: Diagnostic | undefined
  /** The disabled flag because of which it was not run; `undefined`: it was. */
  readonly disabled: DisabledFlag | undefined
}

/** The diagnostics of failed cases. */
export function failuresOf({ results }: Pick<TestRun, "results">): readonly Diagnostic[] {
  return results.flatMap(({ diagnostic }) => diagnostic ?? [])
}

/** How many cases were not run, as a line for each disabled flag and environment. */
export function notRunLines({ results }: Pick<TestRun, "results">): string {
  const notRun = results.flatMap(({ disabled }) => (disabled === undefined ? [] : [disabledWords(disabled)]))
  return [...Map.groupBy(notRun, (words) => words)]
    .map(([words, cases]) => `${words}: ${plural(cases.length, "case")} not run\n`)
    .join("")
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
