import { type CheckedFiles, checkFiles as checkInSteps } from "../../cli/checks/check-files.ts"
import type { Report, SourceFile } from "../../cli/diagnostics/diagnostic.ts"
import type { Project } from "../../cli/reading/project.ts"

/** Parses, validates and checks files in memory, all at once. */
export function checkFiles(sources: readonly SourceFile[], project: Project, report: Report): CheckedFiles {
  const checking = checkInSteps(sources, project, report)
  for (let step = checking.next(); ; step = checking.next()) if (step.done) return step.value
}
