import { type Bucket, type KeyRecord, keyState } from "../contract/key-record.ts"
import type { SnapshotRef } from "../snapshots/generation.ts"

/** An API key as the request path needs it. */
export interface Key {
  readonly record: KeyRecord
  /** The record's own bucket or the proxy's default. */
  readonly bucket: Bucket
}

/** All keys of one reading of the key file. */
export interface Keyring {
  readonly size: number
  readonly records: readonly KeyRecord[]
  /** The key with this digest; `undefined` when there is none. Finding it by digest, no comparison can leak time. */
  find(digest: string): Key | undefined
  /**
   * Headers that this keyring's keys were found by, at most as many as there are keys: whoever polls is spared the
   * checksum and the SHA-256, 1.8 of some 16 µs. A table's hashes are seeded by chance, so a guess cannot be led by its time.
   */
  readonly remembered: Map<string, Key>
  /**
   * What keys read that work at `now` or will later (milliseconds since the epoch), as far as it is not `isThere`.
   * Anyone can ask `/readyz`, so it costs as much as there are places, not keys.
   */
  missing(isThere: (ref: SnapshotRef) => boolean, now: number): readonly SnapshotRef[]
}

/** `defaultBucket` is for the keys that bring none. */
export function createKeyring(records: readonly KeyRecord[], defaultBucket: Bucket): Keyring {
  const keys = new Map<string, Key>()
  for (const record of records) keys.set(record.digest, { record, bucket: record.rateLimit ?? defaultBucket })
  const places = Map.groupBy(records, ({ project, environment }) => `${project ?? ""}/${environment}`)
  return {
    size: keys.size,
    records,
    remembered: new Map(),
    find: (digest) => keys.get(digest),
    missing(isThere, now) {
      const missing: SnapshotRef[] = []
      for (const [first, ...rest] of places.values()) {
        if (first === undefined || isThere(first)) continue
        const isOfUse = [first, ...rest].some((record) => isOfUseAt(record, now))
        if (isOfUse) missing.push({ project: first.project, environment: first.environment })
      }
      return missing
    },
  }
}

function isOfUseAt(record: KeyRecord, now: number): boolean {
  const state = keyState(record, now)
  return state === "active" || state === "not yet"
}
