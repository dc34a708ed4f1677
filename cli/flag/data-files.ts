import { brokenPaths, type Report, type SourceFile } from "../diagnostics/diagnostic.ts"
import type { Condition } from "../language/condition.ts"
import type { DataFiles } from "../language/references.ts"
import { isListPath } from "../reading/files/file-names.ts"
import { pathFrom } from "../reading/files/read.ts"
import { listCondition, listName } from "../reading/list-file.ts"

/** The files with lists and schemas among a project's files that could be read. */
export function dataFilesOf(folder: string, sources: readonly SourceFile[], report: Report): DataFiles {
  const byName = new Map(sources.map((source) => [pathFrom(folder, source.path), source]))
  const broken = new Set([...brokenPaths(report)].map((path) => pathFrom(folder, path)))
  return {
    folder,
    names: [...byName.keys()],
    get: (name) => byName.get(name),
    isBroken: (name) => broken.has(name),
  }
}

/** The lists as conditions, by the names that they have among the segments. */
export function listsIn(files: DataFiles): readonly (readonly [name: string, condition: Condition])[] {
  return files.names
    .filter(isListPath)
    .map((name) => [listName(name), listCondition(files.get(name)?.text ?? "")])
}
