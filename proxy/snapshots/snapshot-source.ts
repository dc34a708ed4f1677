import type { Manifest } from "../contract/manifest.ts"
import type { Source } from "../reload/source.ts"

/**
 * One build as it was found. An environment is in `documents` or in `faults`, never in both, and at least one is in
 * `documents`: environments fail one by one.
 */
export interface SnapshotSet {
  readonly manifest: Manifest
  /** The manifest's own bytes. */
  readonly manifestBytes: Buffer
  /** The text of the manifest's signature file; `undefined` where no proof was asked for. */
  readonly signatures?: Buffer
  /** By environment name: the bytes of its snapshot, verified against the manifest. */
  readonly documents: ReadonlyMap<string, Buffer>
  /** By environment name: which document is missing, truncated or tampered with, and what to do about it. */
  readonly faults: ReadonlyMap<string, Error>
  /** Why this is not what the source itself has now but a copy of an older set; `undefined`: it is. */
  readonly insteadOf?: Error
}

/** Where the proxy's snapshots come from. */
export interface SnapshotSource extends Source<SnapshotSet> {
  /**
   * Is told that a set is served now, except for what is wrong with it: `faults` are the set's own and what was found when
   * it was prepared. What it remembers of the set it may remember from here on; never rejects.
   */
  applied?(set: SnapshotSet, faults: ReadonlyMap<string, Error>): Promise<void>
  /** Is told that nothing of a set could be served, and why. */
  refused?(error: Error): void
}

/** Whether something is wrong that may pass without the set's changing: what is the machine's fault has a cause. */
export function mayPass(faults: ReadonlyMap<string, Error>): boolean {
  return [...faults.values()].some(({ cause }) => cause !== undefined)
}
