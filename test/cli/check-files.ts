import { type CheckedFiles, startChecks } from "../../cli/checks/check-files.ts"
import type { Report, SourceFile } from "../../cli/diagnostics/diagnostic.ts"
import type { Project } from "../../cli/reading/project.ts"

/** Parses, validates and checks files in memory, all at once. */
export function checkFiles(sources: readonly SourceFile[], project: Project, report: Report): CheckedFiles {
  const { flagFiles, check, finish } = startChecks(sources, project, report)
  flagFiles.forEach(check)
  return finish()
}
