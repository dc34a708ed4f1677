import { manifestFile, maxManifestLength, parseManifest } from "../contract/manifest.ts"
import { signatureFile } from "../contract/signature.ts"
import { type Result, unavailable } from "../reload/fault.ts"
import type { Source, SourceCache, SourceFolder } from "../reload/source.ts"
import { anyone, type Trust } from "../reload/trust.ts"
import { readSnapshotSet, type SnapshotSet } from "./snapshot-set.ts"

/** The source of the proxy's snapshots. */
export type SnapshotSource = Source<SnapshotSet>

/**
 * The set that `flagstone build` wrote to a folder; `trust` says who must have published it. `cache` keeps
 * the last good one.
 */
export function createSnapshotSource(
  folder: SourceFolder,
  trust: Trust = anyone,
  cache?: SourceCache<SnapshotSet>,
): SnapshotSource {
  let manifest: Result<Buffer> = unavailable(`${manifestFile} was not read yet`)
  /** It may have been refused as a whole, although its documents are good. */
  let lastRead: SnapshotSet | undefined
  return {
    location: folder.location,
    cache,
    /**
     * The version of the manifest and of all files that it names: documents may arrive late, or be fixed without a new
     * manifest.
     */
    async version(ask) {
      manifest = await folder.read(manifestFile, maxManifestLength, ask)
      const parsed = manifest.kind === "good" ? parseManifest(manifest.value.toString()) : undefined
      const named = parsed?.kind === "valid" ? Object.values(parsed.value.environments) : []
      return folder.version(manifest, [signatureFile, ...named.map(({ file }) => file)])
    },
    async read(known, ask) {
      if (manifest.kind !== "good") return manifest
      const set = await readSnapshotSet(
        {
          manifestBytes: manifest.value,
          readSignatures: () => folder.read(signatureFile, maxManifestLength, ask),
          readDocument: ({ file, size, sha256 }) =>
            folder.read(file, size, ask, findDocument(sha256, [known, lastRead])),
          trust,
        },
        known,
      )
      if (set.kind === "good") lastRead = set.value
      return set
    },
  }
}

/** The document with this digest, if one of these sets has it. */
function findDocument(sha256: string, sets: readonly (SnapshotSet | undefined)[]): Buffer | undefined {
  for (const set of sets)
    for (const [name, environment] of Object.entries(set?.manifest.environments ?? {}))
      if (environment.sha256 === sha256 && set?.documents.has(name)) return set.documents.get(name)
  return undefined
}

/** How to provide a set's file that is bad or, with a system error's code, cannot be read. */
export function fixOfSet(file: string, code?: string): string {
  if (code === "ENOTDIR") return "give --snapshots the folder, not a file in it"
  if (file === manifestFile) return "run `flagstone build`"
  return file === signatureFile ? "publish it with FLAGSTONE_SIGNING_KEY" : "run `flagstone build` again"
}
