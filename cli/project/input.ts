import { statSync } from "node:fs"
import type { Report } from "../diagnostics/diagnostic.ts"
import type { Git } from "../git.ts"
import { findRepository, type Repository } from "../history/repository.ts"
import { type FlagFile, toFlagFiles } from "../reading/files/flag-file.ts"
import { readSources } from "../reading/files/read.ts"
import type { Project } from "../reading/project.ts"
import { memoryFiles, type ProjectFiles } from "./files.ts"

/** Everything that is compiled, at one point in time. */
export interface Input {
  readonly project: Project
  readonly repository: Repository
  /** The flag files and segment files. */
  readonly files: readonly FlagFile[]
  /** Outside git, when each file was modified, by path, in milliseconds since 1970; empty inside. */
  readonly modifiedAt: ReadonlyMap<string, number>
}

/** The files of an input. */
export function filesOf({ project: { folder, source }, files }: Input): ProjectFiles {
  return memoryFiles(folder, [source, ...files.map((file) => file.source)])
}

/**
 * The first stage: read. A file that cannot be read is reported. Throws if the flags folder cannot be listed, and
 * `Failure` if git refuses the repository.
 */
export async function readInput(project: Project, git: Git, report: Report): Promise<Input> {
  const [repository, sources] = await Promise.all([
    findRepository(project.folder, git), // git answers while the files are read
    readSources(project.folder, report, project.ignores),
  ])
  const stamped = repository.kind === "outside" ? sources : []
  return {
    ...{ project, repository, files: toFlagFiles(sources, repository.hash) },
    modifiedAt: new Map(stamped.map(({ path }) => [path, statSync(path).mtime.getTime()])),
  }
}
