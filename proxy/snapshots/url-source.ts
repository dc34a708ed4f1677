import { hash } from "node:crypto"
import { manifestFile, maxManifestLength, signatureFile } from "../contract/manifest.ts"
import { broken, good, type Result } from "../reload/fault.ts"
import { createOrigin, type Fetched, nothingFetched, type OriginConfig } from "./origin.ts"
import type { SnapshotCache } from "./snapshot-cache.ts"
import { readSnapshotSet, type SetParts } from "./snapshot-set.ts"
import { findDocument, type SnapshotSet, type SnapshotSource } from "./snapshot-source.ts"
import type { Trust } from "./trust.ts"

export interface UrlSourceConfig extends OriginConfig {
  /** Where the last good set is kept; `undefined`: nowhere. */
  readonly cache: SnapshotCache | undefined
  /** `undefined`: manifests need no signature. */
  readonly trust?: Trust | undefined
}

/**
 * A published set on an HTTP server. Nothing is read twice: the manifest is asked for on condition, and of its documents
 * only those are read that no set at hand has.
 */
export function createUrlSource(config: UrlSourceConfig): SnapshotSource {
  const { base, cache, trust } = config
  const origin = createOrigin(config)
  let manifest: Fetched = nothingFetched
  /** It may have been refused as a whole; its documents are good. */
  let lastRead: SnapshotSet | undefined

  return {
    location: base.href,
    cache,
    /** The manifest's digest, for it holds those of the documents. */
    async version({ isForced, signal }) {
      const before = isForced ? nothingFetched : manifest
      const fetched = await origin.get(manifestFile, maxManifestLength, signal, before)
      if (fetched.kind !== "good") return fetched
      manifest = fetched.value
      return good(hash("sha256", manifest.bytes))
    },
    async read(known, { signal }) {
      const parts: SetParts = {
        manifestBytes: manifest.bytes,
        readSignatures: async () => bytesOf(await origin.get(signatureFile, maxManifestLength, signal)),
        trust,
        async readDocument({ file, size, sha256 }) {
          const held = findDocument(sha256, [known, lastRead])
          if (held !== undefined) return good(held)
          if (size > longestDocument) return broken(`${file} is longer than ${longestDocument} bytes`)
          return bytesOf(await origin.get(file, size, signal))
        },
      }
      const set = await readSnapshotSet(parts, known)
      if (set.kind === "good") lastRead = set.value
      return set
    },
  }
}

function bytesOf(fetched: Result<Fetched>): Result<Buffer> {
  return fetched.kind === "good" ? good(fetched.value.bytes) : fetched
}

const longestDocument = 64 * 1024 * 1024
