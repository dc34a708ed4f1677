import { formatGithub as formatDiagnostics } from "../diagnostics/format-github.ts"
import { formatCoverage } from "./coverage-text.ts"
import { failuresOf, type TestRun } from "./test-run.ts"

/** The failures as GitHub's workflow commands, which it shows beside the changed lines; then the coverage as text. */
export function formatGithub(run: TestRun, folder: string): string {
  const failures = formatDiagnostics(failuresOf(run), folder)
  return run.coverage === undefined ? failures : `${failures}${formatCoverage(run.coverage, folder)}`
}
