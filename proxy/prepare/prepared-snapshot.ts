import { hash } from "node:crypto"
import type { Parsed } from "../../sdk/contract/parsed.ts"
import type { ManifestEnvironment } from "../contract/manifest.ts"
import type { Evaluations } from "../evaluate/evaluations.ts"
import { compress } from "../http/compress.ts"
import { createDocument, type PreparedDocument } from "../http/prepared-document.ts"
import type { SnapshotIndex } from "./snapshot-index.ts"

/** One environment's answers: the list, and each flag by its key. */
export interface PreparedSnapshot {
  /** Lower-case hex SHA-256 of the list's bytes. */
  readonly sha256: string
  readonly list: PreparedDocument
  /** How many flags there are. */
  readonly size: number
  /** The single-flag answer; `undefined` if there is no such flag. Its identity bytes are part of the list's. */
  flag(key: string): PreparedDocument | undefined
  /** The flags' keys, in the order of the document. */
  readonly keys: readonly string[]
  /** The JSON of each flag's entry, in the order of the document; parts of the list's memory. */
  entries(): Iterable<Buffer>
  /** `undefined`: this proxy does not evaluate flags. */
  readonly evaluations?: Evaluations
}

/**
 * Prepares the snapshot of `environment` for serving. Invalid if its bytes are not a snapshot, or are another
 * environment's; throws if the machine could not do it. Gives up if `signal` is aborted.
 */
export type PrepareSnapshot = (
  bytes: Buffer,
  environment: ManifestEnvironment,
  signal?: AbortSignal,
) => Promise<Parsed<PreparedSnapshot>>

/** Combines a snapshot's bytes and index. A single flag's answer is created when it is first requested. */
export function assembleSnapshot(bytes: Buffer, index: SnapshotIndex): PreparedSnapshot {
  const positions = new Map(index.keys.map((key, position) => [key, position]))
  const made = new Map<number, PreparedDocument>()

  function makeFlag(position: number): PreparedDocument {
    const body = bytes.subarray(index.starts[position], index.ends[position])
    const compressed = index.longEntries.get(position) ?? compress(body)
    const document = createDocument(body, hash("sha256", body, "hex"), compressed)
    if (made.size >= mostMade) made.clear()
    made.set(position, document)
    return document
  }

  return {
    sha256: index.sha256,
    list: createDocument(bytes, index.sha256, index.list),
    size: index.keys.length,
    keys: index.keys,
    flag(key) {
      const position = positions.get(key)
      return position === undefined ? undefined : (made.get(position) ?? makeFlag(position))
    },
    *entries() {
      for (const [position, start] of index.starts.entries())
        yield bytes.subarray(start, index.ends[position])
    },
  }
}

/** How many single-flag answers a snapshot caches, about 2 KB each. A client that needs more should fetch the list. */
const mostMade = 4_096
