import { checkSegmentFiles } from "../../compile/checks/check-segment-files.ts"
import { isSegmentPath } from "../../compile/definition/file-names.ts"
import type { FlagFile } from "../../compile/definition/flag-file.ts"
import type { Project } from "../../compile/definition/project.ts"
import type { Segments } from "../../compile/definition/segments.ts"
import { toDefinition } from "../../compile/definition/validate.ts"
import { writeFlag } from "../../compile/meaning/compiled-flag.ts"
import { resolveFlag } from "../../compile/meaning/resolve.ts"
import { parseSource } from "../../compile/yaml/parse.ts"
import { createReport } from "../../diagnostics/diagnostic.ts"
import { type BuildParts, keepFlag } from "../build-parts.ts"
import type { FlagSource } from "../versions/flag-source.ts"

/** Reads flag files that the build did not read; `undefined` where one says nothing. */
export type FlagReader = (file: FlagFile) => FlagSource | undefined

/** What is wrong with a file was said by the build. */
export function createFlagReader(parts: BuildParts, project: Project): FlagReader {
  let segments: Segments | undefined
  const readSegments = () => {
    const files = parts.files.map(({ source }) => source).filter(({ path }) => isSegmentPath(path))
    return checkSegmentFiles(files, project, createReport()).segments
  }
  return (file) => {
    const known = parts.sources.get(file.source.path)
    if (known !== undefined) return known
    const tree = parseSource(file.source, createReport())
    segments ??= readSegments()
    const definition = tree && toDefinition(tree, segments)
    if (definition === undefined) return undefined
    const flag = resolveFlag(definition, project)
    return keepFlag(file, flag, writeFlag(flag), parts)
  }
}
