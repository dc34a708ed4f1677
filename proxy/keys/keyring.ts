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

/** All keys of one version of the key file. */
export interface Keyring {
  readonly size: number
  readonly records: readonly KeyRecord[]
  /** When its key file was published, in milliseconds since the epoch; `undefined`: it was not. */
  readonly publishedAt: number | undefined
  /**
   * The key with this digest; `undefined` if there is none. Keys are found by digest, so timing reveals nothing about a
   * secret.
   */
  find(digest: string): Key | undefined
  /** The record with this id; `undefined` if there is none. */
  findById(id: string): KeyRecord | undefined
  /**
   * The key that was found for this `Authorization` header before. Saves the checksum and SHA-256 of a known header,
   * 1.8 of 16 µs. Map hashing is seeded, so timing leaks nothing.
   */
  findByHeader(authorization: string): Key | undefined
  /** Caches the header of a key that was found, for at most as many headers as there are keys. */
  rememberHeader(authorization: string, key: Key): void
  /**
   * The missing snapshots of keys that work at `now`, milliseconds since the epoch, or later. Anyone can request
   * `/readyz`, so the cost depends on the number of snapshots that keys name, not on the number of keys.
   */
  missing(isThere: (ref: SnapshotRef) => boolean, now: number): readonly SnapshotRef[]
  /** The keys that work at `now`, milliseconds since the epoch, or later. */
  usable(now: number): readonly KeyRecord[]
}

/** `defaultBucket` is for keys without their own; `publishedAt` is in milliseconds since the epoch. */
export function createKeyring(
  records: readonly KeyRecord[],
  defaultBucket: Bucket,
  publishedAt?: number,
): Keyring {
  const keys = new Map<string, Key>()
  for (const record of records) keys.set(record.digest, { record, bucket: record.rateLimit ?? defaultBucket })
  const byId = new Map(records.map((record) => [record.id, record]))
  const byHeader = new Map<string, Key>()
  const byRef = Map.groupBy(records, ({ project, environment }) => `${project ?? ""}/${environment}`)
  return {
    size: keys.size,
    records,
    publishedAt,
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
    usable: (now) => records.filter((record) => isUsableAt(record, now)),
  }
}

function isUsableAt(record: KeyRecord, now: number): boolean {
  const state = keyState(record, now)
  return state === "active" || state === "not yet"
}

/** The log line's members about loaded keys. Keys are identified by id; a revoked key counts as changed. */
export function describeKeyChanges(after: Keyring, before: Keyring | undefined): object {
  const byId = (keyring: Keyring | undefined) =>
    new Map(keyring?.records.map((record) => [record.id, record]))
  return { keys: after.size, changes: countDifferences(byId(before), byId(after), isDeepStrictEqual) }
}
