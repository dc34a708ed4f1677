import { formatGithub as formatDiagnostics } from "../diagnostics/format-github.ts"
import { formatCoverage } from "./coverage-text.ts"
import { failuresOf, type TestRun } from "./test-run.ts"

/** Mistakes and failures as GitHub's workflow commands, which it shows beside the changed lines; then the coverage as text. */
export function formatGithub(run: TestRun, folder: string): string {
  const failures = formatDiagnostics([...run.mistakes, ...failuresOf(run)], folder)
  return run.coverage === undefined ? failures : `${failures}${formatCoverage(run.coverage, folder)}`
}
