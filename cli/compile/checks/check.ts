import type { Report, Source } from "../../diagnostics/diagnostic.ts"
import type { Definition } from "../definition/definition.ts"
import type { Project } from "../definition/project.ts"
import { createValidator } from "../definition/validate.ts"
import { parseSource } from "../yaml/parse.ts"
import { commonRules, rules } from "./checks.ts"

/** Checks flag files, and gives the definitions it could make of them. Every mistake is reported. */
export function check(sources: readonly Source[], project: Project, report: Report): readonly Definition[] {
  const checkFile = createFileCheck(project)
  const definitions = sources.flatMap((source) => checkFile(source, report))
  for (const rule of commonRules) rule(definitions, project, report)
  return definitions
}

/** Makes the check of one file by itself; what files must keep among each other, the common rules check. */
export function createFileCheck(project: Project): (source: Source, report: Report) => readonly Definition[] {
  const validateFile = createValidator(project)
  return (source, report) => {
    const definitions = parseSource(source, report).flatMap((file) => validateFile(file, report))
    for (const rule of rules) rule(definitions, project, report)
    return definitions
  }
}
