import type { FlagEntry } from "./snapshot.ts"

/** What telemetry records of the document that a value comes from, by OpenFeature's names. */
export type FlagSetMetadata = {
  /** The ids of its project and its environment: `shop/production`. Absent if the environment configures no flag. */
  readonly flagSetId?: string
  /** Its version; absent for flags that were not read from bytes. */
  readonly version?: string
}

/** Describes a document by any flag that its environment configures, and by the lower-case hex SHA-256 of its bytes. */
export function flagSetMetadata(
  configured: FlagEntry | undefined,
  sha256: string | undefined,
): FlagSetMetadata {
  return Object.freeze({
    ...(configured?.environment && {
      flagSetId: `${configured.flag.projectId}/${configured.environment.environmentId}`,
    }),
    ...(sha256 !== undefined && { version: versionOf(sha256) }),
  })
}

/** Names a document in entity tags and telemetry: half of its SHA-256. */
export function versionOf(sha256: string): string {
  return sha256.slice(0, 32)
}
