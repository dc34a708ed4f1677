import type { Report, SourceFile } from "../../diagnostics/diagnostic.ts"
import type { Definition } from "../definition/definition.ts"
import type { Project } from "../definition/project.ts"
import { createValidator } from "../definition/validate.ts"
import { parseSource } from "../yaml/parse.ts"
import { flagChecks, projectChecks } from "./checks.ts"

/** Checks flag files, and gives the definitions it could make of them. Every mistake is reported. */
export function check(
  sources: readonly SourceFile[],
  project: Project,
  report: Report,
): readonly Definition[] {
  const checkFile = createFileCheck(project)
  const definitions = sources.flatMap((source) => checkFile(source, report))
  for (const check of projectChecks) check(definitions, project, report)
  return definitions
}

/** Makes the check of one file by itself; what files must keep among each other, the project checks look at. */
export function createFileCheck(
  project: Project,
): (source: SourceFile, report: Report) => readonly Definition[] {
  const validateFile = createValidator(project)
  return (source, report) => {
    const definitions = parseSource(source, report).flatMap((file) => validateFile(file, report))
    for (const check of flagChecks) check(definitions, project, report)
    return definitions
  }
}
