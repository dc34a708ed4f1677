import type { Project } from "../../compile/definition/project.ts"
import type { Segments } from "../../compile/definition/segments.ts"
import { toDefinition } from "../../compile/definition/validate.ts"
import { writeFlag } from "../../compile/meaning/compiled-flag.ts"
import { resolveFlag } from "../../compile/meaning/resolve.ts"
import type { FlagFile } from "../../compile/read/flag-file.ts"
import { parseSource } from "../../compile/yaml/parse.ts"
import { createReport } from "../../diagnostics/diagnostic.ts"
import { type KnownFlags, keepFlag } from "../known-flags.ts"
import type { FlagSource } from "../versions/flag-source.ts"

/**
 * Gives what the catalogue reads in a file that was compiled: what is known of it, or what is read now. Throws where it cannot
 * be read.
 */
export type FlagReader = (file: FlagFile) => FlagSource

export function createFlagReader(known: KnownFlags, segments: Segments, project: Project): FlagReader {
  return (file) => {
    const own = known.sources.get(file.source.path)
    if (own !== undefined) return own
    const tree = parseSource(file.source, createReport())
    const definition = tree && toDefinition(tree, segments)
    if (definition === undefined) throw new Error(`${file.source.path} was compiled and cannot be read`)
    const flag = resolveFlag(definition, project)
    return keepFlag(file, flag, writeFlag(flag), known)
  }
}
