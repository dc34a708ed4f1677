import { formatText as formatDiagnostics } from "../diagnostics/format-text.ts"
import { formatCoverage } from "./coverage-text.ts"
import { failuresOf, type TestRun } from "./test-run.ts"

/** The failures, with the case and the rule that decided, and with `--coverage` the outcomes that no case covers. */
export function formatText(run: TestRun, folder: string, colour: boolean): string {
  const failures = formatDiagnostics(failuresOf(run), folder, colour)
  return run.coverage === undefined ? failures : `${failures}${formatCoverage(run.coverage, folder)}`
}
