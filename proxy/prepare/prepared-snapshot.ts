import type { ManifestEnvironment } from "../contract/manifest.ts"
import type { Parsed } from "../contract/parsed.ts"
import { unpack } from "./packed.ts"
import { createDocument, type PreparedDocument, tagLength } from "./prepared-document.ts"
import type { SnapshotParts } from "./snapshot-parts.ts"

/** One environment's answers: the list, and each flag by its key. */
export interface PreparedSnapshot {
  /** Lower-case hex SHA-256 of the list's bytes. */
  readonly sha256: string
  readonly list: PreparedDocument
  /** How many flags there are. */
  readonly size: number
  /** The single-flag answer; `undefined` when there is no such flag. Its identity bytes are part of the list's. */
  flag(key: string): PreparedDocument | undefined
}

/**
 * Prepares the snapshot of `environment` for serving. Invalid where its bytes are no snapshot or another environment's;
 * throws an error with a cause where the machine could not do it.
 */
export type PrepareSnapshot = (
  bytes: Buffer,
  environment: ManifestEnvironment,
) => Promise<Parsed<PreparedSnapshot>>

/** Puts parts and the bytes that they were made from together; a flag's answer when it is first asked for. */
export function assembleSnapshot(bytes: Buffer, parts: SnapshotParts): PreparedSnapshot {
  const indexes = new Map(parts.keys.map((key, index) => [key, index]))
  const made: (PreparedDocument | undefined)[] = new Array(parts.keys.length).fill(undefined)

  function makeFlag(index: number): PreparedDocument {
    const body = bytes.subarray(parts.starts[index], parts.ends[index])
    const tag = parts.tags.slice(index * tagLength, (index + 1) * tagLength)
    return createDocument(body, tag, { gzip: unpack(parts.gzip, index), br: unpack(parts.br, index) })
  }

  return {
    sha256: parts.sha256,
    list: createDocument(bytes, parts.sha256.slice(0, tagLength), parts.compressedList),
    size: parts.keys.length,
    flag(key) {
      const index = indexes.get(key)
      if (index === undefined) return undefined
      const document = made[index] ?? makeFlag(index)
      made[index] = document
      return document
    },
  }
}
