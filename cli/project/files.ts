import { readProjectFile } from "../compile/definition/project.ts"
import type { Ignores } from "../compile/read/ignore-globs.ts"
import { readSources } from "../compile/read/read.ts"
import type { Report, SourceFile } from "../diagnostics/diagnostic.ts"

/** The files of a flags folder at one point in time: on disk, in a commit or in memory. */
export interface ProjectFiles {
  /** Absolute path of the flags folder. */
  readonly folder: string
  /** The project file; `undefined` if there is none, or if it cannot be read, which is reported. */
  readonly projectFile: (report: Report) => SourceFile | undefined
  /**
   * The flag files and segment files that are not ignored, sorted by path. A file that cannot be read, or does not belong
   * there, is reported.
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
