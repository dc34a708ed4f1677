import { type JunitCase, type JunitSuite, junitCase } from "../diagnostics/format-junit.ts"
import { pathOf, rangeOfLocation } from "../diagnostics/location.ts"
import { caseName } from "./case-name.ts"
import { disabledWords } from "./disabled-flag.ts"
import type { TestRun } from "./test-run.ts"

/**
 * A run as suites for JUnit: one for each file, with a case for each environment. A case keeps its name when it fails. A
 * mistake that kept cases from running is a case with an error.
 */
export function junitSuites({ results, mistakes }: TestRun, folder: string): readonly JunitSuite[] {
  const cases = [
    ...mistakes.map((mistake) => {
      const { line } = rangeOfLocation(mistake.location)
      return { ...junitCase(mistake, "error", folder), line }
    }),
    ...results.map(({ spec, specCase, environment, diagnostic, disabled }): JunitCase => {
      const name = `${spec.flag} in ${environment}, ${caseName(specCase)}`
      const { line } = rangeOfLocation(specCase.location)
      const skipped = disabled && `Not run: ${disabledWords(disabled)}.`
      return {
        name,
        className: pathOf(specCase.location, folder),
        line,
        kind: "failure",
        diagnostic,
        skipped,
      }
    }),
  ]
  return [...Map.groupBy(cases, ({ className }) => className)].map(([name, inFile]) => ({
    name,
    cases: inFile,
  }))
}
