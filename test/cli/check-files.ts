import { type CheckedFiles, startChecks } from "../../cli/compile/checks/check-files.ts"
import type { Project } from "../../cli/compile/definition/project.ts"
import type { Report, SourceFile } from "../../cli/diagnostics/diagnostic.ts"

/** Parses, validates and checks files in memory, all at once. */
export function checkFiles(sources: readonly SourceFile[], project: Project, report: Report): CheckedFiles {
  const { flagFiles, check, finish } = startChecks(sources, project, report)
  flagFiles.forEach(check)
  return finish()
}
