import { hash, randomUUID } from "node:crypto"
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import {
  type Manifest,
  type ManifestEnvironment,
  manifestFile,
  maxManifestLength,
  parseManifest,
} from "../contract/manifest.ts"
import { readDocumentFile } from "../prepare/document-memory.ts"
import { readSnapshotSet } from "./snapshot-set.ts"
import type { SnapshotSet } from "./snapshot-source.ts"
import { isOlder, type Trust } from "./trust.ts"

/** The last good set of a source, on disk, so that a proxy starts while the source is down. */
export interface SnapshotCache {
  /** Verified as if it came from the source. Throws where there is none or nothing of it is good. */
  read(trust?: Trust): Promise<SnapshotSet>
  /**
   * Replaces the set, unless by `trust` the one that is there is newer. Documents lie under their digests, and the
   * manifest comes last: a crash costs nothing.
   */
  write(set: SnapshotSet, trust?: Trust): Promise<void>
}

/**
 * In `directory`, which is made when it is needed and holds nothing else. Several proxies may share it: what the set
 * before had stays for who is reading it, and what is new, for who is about to name it; so all is written each time.
 */
export function createSnapshotCache(directory: string): SnapshotCache {
  const readDocument = ({ sha256, size }: ManifestEnvironment) =>
    readDocumentFile(join(directory, documentFile(sha256)), size)
  const readSmall = (file: string) => readDocumentFile(join(directory, file), maxManifestLength)

  async function read(trust?: Trust): Promise<SnapshotSet> {
    const manifest = await readSmall(manifestFile)
    const readSignatures = () => readSmall(signatureFileOf(manifest))
    return readSnapshotSet(manifest, readDocument, trust && { trust, readSignatures, served: undefined })
  }

  return {
    read,
    async write({ manifest, manifestBytes, documents, signatures }, trust) {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      // A proxy that asks a lagging copy of the store must not open a way back for those that share the folder.
      const proved = trust && !trust.allowOlder ? await read(trust).catch(() => undefined) : undefined
      if (proved?.faults.size === 0 && isOlder(manifest, proved.manifest)) return
      const kept = new Set([manifestFile, ...(await filesBefore(directory))])
      for (const file of filesOf(manifest, manifestBytes)) kept.add(file)
      for (const [name, { sha256 }] of Object.entries(manifest.environments)) {
        const bytes = documents.get(name)
        if (bytes !== undefined) await replaceFile(directory, documentFile(sha256), bytes)
      }
      if (signatures !== undefined) await replaceFile(directory, signatureFileOf(manifestBytes), signatures)
      await replaceFile(directory, manifestFile, manifestBytes)
      await removeOld(directory, kept)
    },
  }
}

/** Removes what nobody names and nobody is about to name: also what a crash left half-written. */
async function removeOld(directory: string, kept: ReadonlySet<string>): Promise<void> {
  const { mtimeMs: now } = await stat(join(directory, manifestFile))
  for (const file of await readdir(directory)) {
    if (kept.has(file) || !/\.(json|sig|tmp)$/.test(file)) continue
    const path = join(directory, file)
    const made = await stat(path).catch(() => undefined) // another proxy was faster
    if (made !== undefined && now - made.mtimeMs > settled) await rm(path, { force: true })
  }
}

/** Milliseconds in which a set is written, however slow the disk: ten minutes. */
const settled = 600_000

/** The files of the set that is about to be replaced. */
async function filesBefore(directory: string): Promise<readonly string[]> {
  const bytes = await readDocumentFile(join(directory, manifestFile), maxManifestLength).catch(() =>
    Buffer.alloc(0),
  )
  const manifest = parseManifest(bytes.toString("utf8"))
  return manifest.kind === "valid" ? filesOf(manifest.value, bytes) : []
}

function filesOf({ environments }: Manifest, manifestBytes: Buffer): readonly string[] {
  const documents = Object.values(environments).map(({ sha256 }) => documentFile(sha256))
  return [...documents, signatureFileOf(manifestBytes)]
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
