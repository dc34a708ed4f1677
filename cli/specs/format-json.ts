import { diagnosticRows } from "../diagnostics/format-json.ts"
import { pathOf, rangeOfLocation } from "../diagnostics/location.ts"
import { printableJson } from "../diagnostics/printable.ts"
import { caseName } from "./case-name.ts"
import { outcomeWords } from "./coverage-text.ts"
import { percentCovered, type TestRun } from "./test-run.ts"

/** The run as one JSON object: every case in every environment, mistakes as `lint` has them, and with `--coverage` every outcome. */
export function formatJson({ results, mistakes, coverage }: TestRun, folder: string): string {
  const object = {
    cases: results.map(({ spec, specCase, environment, contexts, diagnostic }) => ({
      file: pathOf(specCase.location, folder),
      line: rangeOfLocation(specCase.location).line,
      flag: spec.flag,
      environment,
      name: caseName(specCase),
      contexts,
      passed: diagnostic === undefined,
      message: diagnostic?.message,
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
  return `${printableJson(JSON.stringify(object, null, 2))}\n`
}
