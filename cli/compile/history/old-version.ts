import { join } from "node:path"
import { createReport } from "../../diagnostics/diagnostic.ts"
import type { Project } from "../definition/project.ts"
import { decodeSource } from "../definition/read.ts"
import { toDefinition } from "../definition/validate.ts"
import { type Meaning, toDigest, type Version, writeFlag } from "../meaning/compiled-flag.ts"
import { resolveFlag } from "../meaning/resolve.ts"
import { parseSource } from "../yaml/parse.ts"

/**
 * What an old version of a flag file means. It may be invalid today: what has the wrong shape counts as absent.
 * `unreadable` where it cannot be read or is not a mapping. Long meanings are digests, because thousands of versions of
 * one large file are in memory at once.
 */
export function compileOldVersion(bytes: Uint8Array, path: string, project: Project): Version | "unreadable" {
  const ignored = createReport()
  const source = decodeSource(join(project.folder, path), bytes, ignored)
  const file = source && parseSource(source, ignored)
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

/** Characters. Most meanings are shorter, and hashing those would take longer than parsing them. */
const longest = 1_000
