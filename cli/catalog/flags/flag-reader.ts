import type { FlagFile } from "../../compile/definition/flag-file.ts"
import type { Project } from "../../compile/definition/project.ts"
import type { Segments } from "../../compile/definition/segments.ts"
import { toDefinition } from "../../compile/definition/validate.ts"
import { writeFlag } from "../../compile/meaning/compiled-flag.ts"
import { resolveFlag } from "../../compile/meaning/resolve.ts"
import { parseSource } from "../../compile/yaml/parse.ts"
import { createReport } from "../../diagnostics/diagnostic.ts"
import { keepFlag, type Seen } from "../seen.ts"
import type { FlagSource } from "../versions/flag-source.ts"

/** Reads flag files without mistakes that were not read when they were compiled. */
export type FlagReader = (file: FlagFile) => FlagSource

export function createFlagReader(seen: Seen, segments: Segments, project: Project): FlagReader {
  return (file) => {
    const known = seen.sources.get(file.source.path)
    if (known !== undefined) return known
    const tree = parseSource(file.source, createReport())
    const definition = tree && toDefinition(tree, segments)
    if (definition === undefined) throw new Error(`${file.source.path} was compiled and cannot be read`)
    const flag = resolveFlag(definition, project)
    return keepFlag(file, flag, writeFlag(flag), seen)
  }
}
