import type { Manifest } from "../contract/manifest.ts"

/** One build as it was found: its manifest and the bytes of each environment's snapshot, all of them verified. */
export interface SnapshotSet {
  readonly manifest: Manifest
  /** By environment name, one for each that the manifest names. */
  readonly documents: ReadonlyMap<string, Buffer>
}

/** Where the proxy's snapshots come from. */
export interface SnapshotSource {
  /** Names the source in log lines and messages. */
  readonly location: string
  /** Another text whenever the set may have changed since; cheap, because it is asked at every poll. Never throws. */
  version(): Promise<string>
  /**
   * The whole set, verified against its manifest, or nothing of it: throws an error that says which file is missing,
   * truncated or tampered with, and what to do about it.
   */
  read(): Promise<SnapshotSet>
}
