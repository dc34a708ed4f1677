import type { Manifest } from "../../proxy/contract/manifest.ts"

/** The compiled document of one environment. */
export interface Snapshot {
  readonly environment: string
  /** The file's name in the output folder. */
  readonly file: string
  readonly bytes: Uint8Array
  /** How many flags are configured in the environment; the document has all flags of the project. */
  readonly configured: number
}

/** Everything that a build produces. */
export interface Build {
  readonly snapshots: readonly Snapshot[]
  readonly manifest: Manifest
}
