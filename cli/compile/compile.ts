import type { Report } from "../diagnostics/diagnostic.ts"
import type { Git } from "../git.ts"
import { assemble, type Build } from "./assemble.ts"
import { openLastBuild } from "./build-cache.ts"
import { type MemoryOptions, openMemoryFolder } from "./cache/cache-folder.ts"
import { compileFlags, type OnProgress } from "./compile-flags.ts"
import type { Project } from "./definition/project.ts"
import { readFlagFiles } from "./definition/read.ts"
import { type HistoryOptions, replayHistory } from "./history/history.ts"
import { readPast } from "./history/past.ts"
import { findRepository } from "./history/repository.ts"

/** What a build is asked for. */
export interface CompileOptions extends HistoryOptions, MemoryOptions {
  readonly onProgress?: OnProgress
}

/** Compiles a project into its snapshots and manifest; `undefined` where the report has errors. */
export async function compile(
  project: Project,
  git: Git,
  report: Report,
  options: CompileOptions,
): Promise<Build | undefined> {
  const repository = await findRepository(project.folder, git)
  const memory = openMemoryFolder(
    repository.kind === "outside" ? undefined : repository.memoryFolder,
    project,
    options,
  )
  const files = readFlagFiles(project.folder, repository.hash, report)
  const lastBuild = openLastBuild(memory, repository, project, files)
  const same = report.diagnostics.length === 0 ? lastBuild.recall() : undefined
  if (same !== undefined) return same

  const past = readPast(files, project, repository, git, memory, () => !report.hasErrors)
  past.catch(() => {}) // it is awaited, and its failure thrown, after the mistakes of the files
  const flags = await compileFlags(files, project, memory, report, options.onProgress)
  if (report.hasErrors) return undefined
  const history = replayHistory(flags, await past, project, memory, report, options)
  if (report.hasErrors) return undefined
  const build = assemble(flags, history, project)
  if (report.diagnostics.length === 0) lastBuild.keep(build)
  return build
}
