import { type PreparedSnapshot, prepareSnapshot } from "./prepared-snapshot.ts"
import type { SnapshotSource } from "./snapshot-source.ts"

/** All snapshots that the proxy holds in memory, from one build. It never changes: a reload makes another one. */
export interface Generation {
  readonly project: string
  /** The commit that was compiled; `null` outside git. */
  readonly revision: string | null
  /** By environment name. */
  readonly snapshots: ReadonlyMap<string, PreparedSnapshot>
}

/**
 * Reads a source's set and prepares all of it, or throws and leaves `previous` as it was. Snapshots that are the same
 * bytes as in `previous` are taken from there.
 */
export async function loadGeneration(
  source: SnapshotSource,
  previous: Generation | undefined,
): Promise<Generation> {
  const { manifest, documents } = await source.read()
  const snapshots = new Map<string, PreparedSnapshot>()
  for (const [name, { file, sha256 }] of Object.entries(manifest.environments)) {
    const held = previous?.snapshots.get(name)
    const bytes = documents.get(name)
    if (held?.sha256 === sha256) snapshots.set(name, held)
    else if (bytes !== undefined) snapshots.set(name, await prepareSnapshot(bytes, file))
  }
  return { project: manifest.project, revision: manifest.revision, snapshots }
}
