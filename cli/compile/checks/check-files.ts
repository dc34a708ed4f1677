import type { Report, SourceFile } from "../../diagnostics/diagnostic.ts"
import type { Definition } from "../definition/definition.ts"
import type { Project } from "../definition/project.ts"
import { createValidator } from "../definition/validate.ts"
import { parseSource } from "../yaml/parse.ts"
import { checkFlag, checkFlagsTogether } from "./checks.ts"

/** Parses, validates and checks flag files, and returns the definitions that could be made. Reports every mistake. */
export function checkFiles(
  sources: readonly SourceFile[],
  project: Project,
  report: Report,
): readonly Definition[] {
  const validate = createValidator(project)
  const definitions = sources.flatMap((source) => {
    const tree = parseSource(source, report)
    return (tree && validate(tree, report)) ?? []
  })
  for (const definition of definitions) checkFlag(definition, project, report)
  checkFlagsTogether(definitions, project, report)
  return definitions
}
