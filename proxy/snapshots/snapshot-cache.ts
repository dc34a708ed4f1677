import { hash, randomUUID } from "node:crypto"
import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { manifestFile } from "../contract/manifest.ts"
import { readSnapshotSet } from "./snapshot-set.ts"
import type { SnapshotSet } from "./snapshot-source.ts"
import type { Trust } from "./trust.ts"

/** The last good set of a source, on disk, so that a proxy starts while the source is down. */
export interface SnapshotCache {
  /** Verified as if it came from the source. Throws where there is none or nothing of it is good. */
  read(trust?: Trust): Promise<SnapshotSet>
  /** Replaces the set. Documents lie under their digests, and the manifest comes last: a crash costs nothing. */
  write(set: SnapshotSet): Promise<void>
}

/** In `directory`, which is made when it is needed and holds nothing else. */
export function createSnapshotCache(directory: string): SnapshotCache {
  const readDocument = ({ sha256 }: { readonly sha256: string }) =>
    readFile(join(directory, documentFile(sha256)))
  return {
    async read(trust) {
      const manifest = await readFile(join(directory, manifestFile))
      const readSignatures = () => readFile(join(directory, signatureFileOf(manifest)))
      return readSnapshotSet(manifest, readDocument, trust && { trust, readSignatures, served: undefined })
    },
    async write({ manifest, manifestBytes, documents, signatures }) {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const there = new Set(await readdir(directory))
      const kept = new Set([manifestFile])
      for (const [name, { sha256 }] of Object.entries(manifest.environments)) {
        const file = documentFile(sha256)
        const bytes = documents.get(name)
        kept.add(file)
        if (bytes !== undefined && !there.has(file)) await replaceFile(directory, file, bytes)
      }
      kept.add(signatureFileOf(manifestBytes))
      if (signatures !== undefined) await replaceFile(directory, signatureFileOf(manifestBytes), signatures)
      await replaceFile(directory, manifestFile, manifestBytes)
      for (const file of there)
        if (!kept.has(file) && /\.(json|sig)$/.test(file)) await rm(join(directory, file), { force: true })
    },
  }
}

function documentFile(sha256: string): string {
  return `${sha256}.json`
}

/** Named by the manifest's digest, so that the two change as one. */
function signatureFileOf(manifestBytes: Buffer): string {
  return `${hash("sha256", manifestBytes)}.sig`
}

/** What is under `file` afterwards is the whole of `bytes`, or, after a crash, what was there before. */
async function replaceFile(directory: string, file: string, bytes: Buffer): Promise<void> {
  const temporary = join(directory, `${file}.${randomUUID()}.tmp`)
  try {
    const handle = await open(temporary, "wx", 0o600)
    try {
      await handle.writeFile(bytes)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, join(directory, file))
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
