import type { Report } from "../diagnostics/diagnostic.ts"
import type { Git } from "../git.ts"
import { assemble, type Build } from "./assemble.ts"
import type { Definition } from "./definition.ts"
import { type HistoryOptions, readHistory } from "./history.ts"
import { parseSource } from "./parse.ts"
import type { Project } from "./project.ts"
import { readSources } from "./read.ts"
import { resolveFlag } from "./resolve.ts"
import { rules } from "./rules.ts"
import { createValidator } from "./validate.ts"

/** Reads and checks all flags of a project, and gives the definitions it could make. Every mistake is reported. */
export function check(project: Project, report: Report): readonly Definition[] {
  const validateFile = createValidator(project)
  const sources = readSources(project.folder, report)
  const files = sources.flatMap((source) => parseSource(source, report))
  const definitions = files.flatMap((file) => validateFile(file, report))
  for (const rule of rules) rule(definitions, project, report)
  return definitions
}

/** Compiles a project into its snapshots and manifest; `undefined` where the report has errors. */
export async function compile(
  project: Project,
  git: Git,
  report: Report,
  options: HistoryOptions,
): Promise<Build | undefined> {
  const definitions = check(project, report)
  if (report.hasErrors) return undefined
  const flags = definitions.map((definition) => resolveFlag(definition, project))
  const history = await readHistory(flags, project, git, report, options)
  if (report.hasErrors) return undefined
  return assemble(flags, history, project)
}
