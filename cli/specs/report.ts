import { diagnosticRows } from "../diagnostics/format-json.ts"
import { pathOf, rangeOfLocation } from "../diagnostics/location.ts"
import { phrase, plainPhrase, whole } from "../diagnostics/phrase.ts"
import { plural } from "../diagnostics/plural.ts"
import { numberWords } from "../evaluate/sentences.ts"
import type { CommandReport, Row } from "../report/report.ts"
import { caseName } from "./case-name.ts"
import type { CountedOutcome } from "./coverage.ts"
import { contextText, percent } from "./diagnose.ts"
import { disabledWords } from "./disabled-flag.ts"
import { type CoveredOutcome, failuresOf, percentCovered, type TestRun } from "./test-run.ts"

/**
 * The failures, with the case and the rule that decided, and, if coverage was requested, the outcomes that no case covers.
 * The data has every case and outcome, and the mistakes, too.
 */
export function testReport(run: TestRun, folder: string): CommandReport {
  const covered = run.coverage === undefined ? undefined : coverageReport(run.coverage, folder)
  return {
    ...covered,
    sections: [{ kind: "diagnostics", diagnostics: failuresOf(run) }, ...(covered?.sections ?? [])],
    data: () => runData(run, folder),
  }
}

/** How much is covered, and a row for each outcome that no case covers. */
export function coverageReport(
  outcomes: readonly CoveredOutcome[],
  folder: string,
): Pick<CommandReport, "summary" | "sections"> {
  const total = `${percent(percentCovered(outcomes))} % of ${plural(outcomes.length, "outcome")} covered`
  const rows = outcomes.filter(({ hits }) => hits === 0).map((outcome) => uncoveredRow(outcome, folder))
  return { summary: [total], sections: [{ kind: "list", rows }] }
}

function uncoveredRow(outcome: CoveredOutcome, folder: string): Row {
  const { flag, environment, witness, location } = outcome
  const hint = witness === undefined ? [] : phrase`; try the context ${whole(contextText(witness))}`
  return {
    subject: whole(`${pathOf(location, folder)}:${rangeOfLocation(location).line}`),
    what: phrase`${flag}, ${[outcomeWords(outcome)]} in ${environment} is not covered${hint}`,
  }
}

/** An outcome's name: `rule 2`, `rule 2, arm 1`, `default`, `disabled` or `unconfigured`. */
function outcomeWords({ by, numbered }: CountedOutcome): string {
  return numbered === undefined ? String(by) : plainPhrase(numberWords(numbered))
}

/** What `--format json` prints. Mistakes are as `lint` has them. */
function runData({ results, mistakes, coverage }: TestRun, folder: string): object {
  return {
    cases: results.map(({ spec, specCase, environment, contexts, diagnostic, disabled }) => ({
      file: pathOf(specCase.location, folder),
      line: rangeOfLocation(specCase.location).line,
      flag: spec.flag,
      environment,
      name: caseName(specCase),
      contexts,
      passed: disabled === undefined ? diagnostic === undefined : null,
      message: disabled === undefined ? diagnostic?.message : `Not run: ${disabledWords(disabled)}.`,
    })),
    mistakes: diagnosticRows(mistakes, folder),
    coverage: coverage && {
      percent: percentCovered(coverage),
      outcomes: coverage.map((outcome) => ({
        flag: outcome.flag,
        environment: outcome.environment,
        outcome: outcomeWords(outcome),
        file: pathOf(outcome.location, folder),
        line: rangeOfLocation(outcome.location).line,
        hits: outcome.hits,
        witness: outcome.witness ?? null,
      })),
    },
  }
}
