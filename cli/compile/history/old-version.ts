import { join } from "node:path"
import { createReport } from "../../diagnostics/diagnostic.ts"
import type { Project } from "../definition/project.ts"
import { decodeSource } from "../definition/read.ts"
import { toDefinition } from "../definition/validate.ts"
import { type Meaning, toDigest, type Version, writeFlag } from "../meaning/compiled-flag.ts"
import { resolveFlag } from "../meaning/resolve.ts"
import { parseSource } from "../yaml/parse.ts"

/**
 * What an old version of a flag file means. It may break today's rules: what is of a wrong shape counts as absent.
 * `unreadable` where it is no mapping that can be read at all. Long meanings are digests: thousands of versions of one
 * large file are held at once.
 */
export function compileOldVersion(bytes: Uint8Array, path: string, project: Project): Version | "unreadable" {
  const unheard = createReport()
  const source = decodeSource(join(project.folder, path), bytes, unheard)
  const [file] = source === undefined ? [] : parseSource(source, unheard)
  const definition = file && toDefinition(file)
  return definition === undefined
    ? "unreadable"
    : shorten(writeFlag(resolveFlag(definition, project)).version)
}

function shorten(version: Version): Version {
  const { key, definition, configurations } = version
  if (![definition, ...configurations.values()].some(({ length }) => length > longest)) return version
  const meanings = [...configurations].map(([environment, meaning]) => [environment, short(meaning)] as const)
  return { key, definition: short(definition), configurations: new Map(meanings) }
}

function short(meaning: Meaning): Meaning {
  return meaning.length > longest ? toDigest(meaning) : meaning
}

/** Characters. Most meanings are shorter, and to make digests of them would take longer than to parse them. */
const longest = 1_000
