import type { Manifest } from "../contract/manifest.ts"
import type { Fault } from "../reload/fault.ts"
import type { Source } from "../reload/source.ts"

/** Where the proxy's snapshots come from. */
export type SnapshotSource = Source<SnapshotSet>

/**
 * One build as it was found. An environment is in `documents` or in `faults`, never in both, and at least one is in
 * `documents`: environments fail one by one.
 */
export interface SnapshotSet {
  readonly manifest: Manifest
  /** The manifest's own bytes. */
  readonly manifestBytes: Buffer
  /** The text of the manifest's signature file; `undefined` where no signature was asked for. */
  readonly signatures?: Buffer
  /** By environment name: the bytes of its snapshot, verified against the manifest. */
  readonly documents: ReadonlyMap<string, Buffer>
  /** By environment name: which document is missing, truncated or tampered with, and what to do about it. */
  readonly faults: ReadonlyMap<string, Fault>
}

/** The document with this digest, if one of these sets has it. */
export function findDocument(sha256: string, sets: readonly (SnapshotSet | undefined)[]): Buffer | undefined {
  for (const set of sets)
    for (const [name, environment] of Object.entries(set?.manifest.environments ?? {}))
      if (environment.sha256 === sha256 && set?.documents.has(name)) return set.documents.get(name)
  return undefined
}
