import { formatGithub as formatDiagnostics } from "../diagnostics/format-github.ts"
import { formatCoverage } from "./coverage-text.ts"
import { failuresOf, type TestRun } from "./test-run.ts"

/**
 * Mistakes and failures as GitHub's workflow commands, which it shows next to the changed lines; then the coverage as
 * text.
 */
export function formatGithub(run: TestRun, folder: string): string {
  const failures = formatDiagnostics([...run.mistakes, ...failuresOf(run)], folder)
  return run.coverage === undefined ? failures : `${failures}${disarm(formatCoverage(run.coverage, folder))}`
}

/** The runner reads a line that begins with `::` or contains `##[` as a command; file names may contain both. */
function disarm(text: string): string {
  return text.replace(/^(\s*)::/gm, "$1%3A%3A").replaceAll("##[", "##%5B")
}
