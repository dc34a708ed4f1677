import { hash } from "node:crypto"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { type Manifest, manifestFile, maxManifestLength, parseManifest } from "../contract/manifest.ts"
import { nothingCached, removeOld, replaceFile } from "../reload/cache-folder.ts"
import { good, type Result, unavailable } from "../reload/fault.ts"
import { readFile } from "../reload/folder.ts"
import type { SourceCache } from "../reload/source.ts"
import { anyone, isOlder, type Trust } from "../reload/trust.ts"
import { imprintOfManifest } from "./prove-manifest.ts"
import { readSnapshotSet, type SetParts, type SnapshotSet } from "./snapshot-set.ts"

/**
 * Keeps the set in `directory`, which is created when needed and has no other content. Several proxies may share it:
 * the files of the previous set stay, because another proxy may be reading them, and each write stores every file,
 * because another proxy may be deleting it. Documents are named by their digests, and the manifest is written last, so a
 * crash loses nothing.
 */
export function createSnapshotCache(directory: string, trust: Trust = anyone): SourceCache<SnapshotSet> {
  const readPart = (file: string, limit = maxManifestLength): Promise<Result<Buffer>> =>
    readFile(join(directory, file), limit).then(good, ({ code, message }: NodeJS.ErrnoException) =>
      unavailable(code === "ENOENT" && file === manifestFile ? nothingCached : message),
    )

  async function read(): Promise<Result<SnapshotSet>> {
    const manifest = await readPart(manifestFile)
    if (manifest.kind !== "good") return manifest
    const parts: SetParts = {
      manifestBytes: manifest.value,
      readSignatures: () => readPart(signatureFileOf(manifest.value)),
      readDocument: ({ sha256, size }) => readPart(documentFile(sha256), size),
      trust,
    }
    return readSnapshotSet(parts, undefined)
  }

  return {
    location: directory,
    read,
    async write({ manifest, manifestBytes, documents, signatures }) {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      // A proxy that reads an outdated copy of the store must not make the proxies that share the folder go back.
      const proved = trust.publicKey && !trust.allowOlder ? await read() : undefined
      if (
        proved?.kind === "good" &&
        proved.value.faults.size === 0 &&
        isOlder(imprintOfManifest(manifest), imprintOfManifest(proved.value.manifest))
      )
        return
      const before = await readPart(manifestFile)
      const kept = new Set([manifestFile, ...filesOf(manifest, manifestBytes), ...filesBefore(before)])
      for (const [name, { sha256 }] of Object.entries(manifest.environments)) {
        const bytes = documents.get(name)
        if (bytes !== undefined) await replaceFile(directory, documentFile(sha256), bytes)
      }
      if (signatures !== undefined) await replaceFile(directory, signatureFileOf(manifestBytes), signatures)
      await replaceFile(directory, manifestFile, manifestBytes)
      await removeOld(directory, manifestFile, kept)
    },
  }
}

/** The files of the set that is about to be replaced. */
function filesBefore(manifest: Result<Buffer>): readonly string[] {
  const parsed = manifest.kind === "good" ? parseManifest(manifest.value.toString("utf8")) : undefined
  return manifest.kind === "good" && parsed?.kind === "valid" ? filesOf(parsed.value, manifest.value) : []
}

function filesOf({ environments }: Manifest, manifestBytes: Buffer): readonly string[] {
  const documents = Object.values(environments).map(({ sha256 }) => documentFile(sha256))
  return [...documents, signatureFileOf(manifestBytes)]
}

function documentFile(sha256: string): string {
  return `${sha256}.json`
}

/** Named by the manifest's digest, so that the two change together. */
function signatureFileOf(manifestBytes: Buffer): string {
  return `${hash("sha256", manifestBytes)}.sig`
}
