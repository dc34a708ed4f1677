/** The version of the manifest's own layout; a reader refuses any other. */
export const formatVersion = 1

/** One environment's snapshot, as the manifest names it. */
export interface ManifestEnvironment {
  /** The `environmentId` of the snapshot's configurations; an environment's name unless the project sets another. */
  readonly id: string
  /** The snapshot's file, relative to the manifest. */
  readonly file: string
  /** Lower-case hex SHA-256 of the file's bytes. */
  readonly sha256: string
  /** The file's length in bytes. */
  readonly size: number
  /** How many flags it holds. */
  readonly flags: number
}

/** The small index of the snapshots of one build. */
export interface Manifest {
  readonly formatVersion: typeof formatVersion
  readonly project: string
  /** The commit that was compiled; `null` outside git. */
  readonly revision: string | null
  /** Present when something compiled was not committed. */
  readonly dirty?: true
  readonly environments: { readonly [name: string]: ManifestEnvironment }
}
