import { join } from "node:path"
import { createReport } from "../../diagnostics/diagnostic.ts"
import { type Version, writeFlag } from "../compiled-flag.ts"
import { parseSource } from "../parse.ts"
import type { Project } from "../project.ts"
import { decodeSource } from "../read.ts"
import { resolveFlag } from "../resolve.ts"
import { toDefinition } from "../validate.ts"

/**
 * What an old version of a flag file means. It may break today's rules: what is of a wrong shape counts as absent.
 * `unreadable` where it is no mapping that can be read at all.
 */
export function compileOldVersion(bytes: Uint8Array, path: string, project: Project): Version | "unreadable" {
  const unheard = createReport()
  const source = decodeSource(join(project.folder, path), bytes, unheard)
  const [file] = source === undefined ? [] : parseSource(source, unheard)
  const definition = file && toDefinition(file)
  return definition === undefined ? "unreadable" : writeFlag(resolveFlag(definition, project)).version
}
