import type { Report, Source } from "../diagnostics/diagnostic.ts"
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

/** Checks flag files, and gives the definitions it could make of them. Every mistake is reported. */
export function check(sources: readonly Source[], project: Project, report: Report): readonly Definition[] {
  const validateFile = createValidator(project)
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
  const sources = readSources(project.folder, report)
  const definitions = check(sources, project, report)
  if (report.hasErrors) return undefined
  const flags = definitions.map((definition) => resolveFlag(definition, project))
  const history = await readHistory(flags, project, git, report, options)
  if (report.hasErrors) return undefined
  return assemble(flags, history, project)
}
