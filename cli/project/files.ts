import { join } from "node:path"
import type { Report, SourceFile } from "../diagnostics/diagnostic.ts"
import { projectFileName } from "../reading/files/file-names.ts"
import type { Ignores } from "../reading/files/ignore-globs.ts"
import { pathFrom, readSources } from "../reading/files/read.ts"
import { readProjectFile } from "../reading/project.ts"

/** The files of a flags folder at one point in time: on disk, in a commit or in memory. */
export interface ProjectFiles {
  /** Absolute path of the flags folder. */
  readonly folder: string
  /** The project file; `undefined` if there is none, or if it cannot be read, which is reported. */
  readonly projectFile: (report: Report) => SourceFile | undefined
  /**
   * The flag files, segment files and invariants files that are not ignored, sorted by path. A file that cannot be read, or
   * does not belong there, is reported.
   */
  readonly sources: (ignores: Ignores, report: Report) => readonly SourceFile[]
}

/** A folder on disk, read when it is asked for. `projectFile` throws `Failure` if there is none. */
export function folderFiles(folder: string): ProjectFiles {
  return {
    folder,
    projectFile: (report) => readProjectFile(folder, report),
    sources: (ignores, report) => readSources(folder, report, ignores),
  }
}

/** Files in memory, sorted by path, with the project file if there is one. */
export function memoryFiles(folder: string, files: readonly SourceFile[]): ProjectFiles {
  const projectPath = join(folder, projectFileName)
  return {
    folder,
    projectFile: () => files.find(({ path }) => path === projectPath),
    sources: (ignores) =>
      files.filter(({ path }) => path !== projectPath && !ignores(pathFrom(folder, path))),
  }
}

/** The files with new texts. */
export function withTexts(files: ProjectFiles, edited: readonly SourceFile[]): ProjectFiles {
  const byPath = new Map(edited.map((source) => [source.path, source]))
  return {
    ...files,
    sources: (ignores, report) =>
      files.sources(ignores, report).map((source) => byPath.get(source.path) ?? source),
  }
}
