import type { Project } from "../compile/definition/project.ts"
import { readSources } from "../compile/definition/read.ts"
import { createReport, type SourceFile } from "../diagnostics/diagnostic.ts"
import { readSpecFiles } from "../specs/spec-files.ts"

/** The files of the work tree that a catalogue is made from, read once, so that all its parts are of one moment. */
export interface CatalogSources {
  /** Flag files and segment files. */
  readonly flags: readonly SourceFile[]
  readonly specs: readonly SourceFile[]
}

/** What is wrong with a file was said by the build. */
export function readCatalogSources({ folder, ignores }: Project): CatalogSources {
  const report = createReport()
  return { flags: readSources(folder, report, ignores), specs: readSpecFiles(folder, report, ignores) }
}
