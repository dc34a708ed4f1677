import { isDeepStrictEqual } from "node:util"
import type { Bucket } from "../contract/bucket.ts"
import { type KeyRecord, keyState } from "../contract/key-record.ts"
import { countDifferences } from "../reload/count-differences.ts"
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
  /** The key with this digest; `undefined` when there is none. Keys are found by digest, so no comparison leaks time. */
  find(digest: string): Key | undefined
  /** The record with this id; `undefined` when there is none. */
  findById(id: string): KeyRecord | undefined
  /**
   * The key that this `Authorization` header was found by before: saves a known header its checksum and SHA-256, 1.8 of
   * 16 µs. Map hashing is seeded, so timing leaks nothing.
   */
  findByHeader(authorization: string): Key | undefined
  /** Keeps the header of a key that was found, for at most as many headers as there are keys. */
  rememberHeader(authorization: string, key: Key): void
  /**
   * The missing snapshots of keys that work at `now`, milliseconds since the epoch, or later. Anyone can ask `/readyz`,
   * so the cost grows with the number of snapshots named, not of keys.
   */
  missing(isThere: (ref: SnapshotRef) => boolean, now: number): readonly SnapshotRef[]
}

/** `defaultBucket` is for the keys that bring none. */
export function createKeyring(records: readonly KeyRecord[], defaultBucket: Bucket): Keyring {
  const keys = new Map<string, Key>()
  for (const record of records) keys.set(record.digest, { record, bucket: record.rateLimit ?? defaultBucket })
  const byId = new Map(records.map((record) => [record.id, record]))
  const byHeader = new Map<string, Key>()
  const byRef = Map.groupBy(records, ({ project, environment }) => `${project ?? ""}/${environment}`)
  return {
    size: keys.size,
    records,
    find: (digest) => keys.get(digest),
    findById: (id) => byId.get(id),
    findByHeader: (authorization) => byHeader.get(authorization),
    rememberHeader(authorization, key) {
      if (byHeader.size < keys.size) byHeader.set(authorization, key)
    },
    missing(isThere, now) {
      const missing: SnapshotRef[] = []
      for (const [first, ...rest] of byRef.values()) {
        if (first === undefined || isThere(first)) continue
        const isUsable = [first, ...rest].some((record) => isUsableAt(record, now))
        if (isUsable) missing.push({ project: first.project, environment: first.environment })
      }
      return missing
    },
  }
}

function isUsableAt(record: KeyRecord, now: number): boolean {
  const state = keyState(record, now)
  return state === "active" || state === "not yet"
}

/** The log line's members about loaded keys. Keys are identified by id; a revoked one counts as changed. */
export function describeKeyChanges(after: Keyring, before: Keyring | undefined): object {
  const byId = (keyring: Keyring | undefined) =>
    new Map(keyring?.records.map((record) => [record.id, record]))
  return { keys: after.size, changes: countDifferences(byId(before), byId(after), isDeepStrictEqual) }
}
