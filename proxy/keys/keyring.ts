import { type Bucket, type KeyRecord, keyState } from "../contract/key-file.ts"

/** An API key as the request path needs it. */
export interface Key {
  readonly record: KeyRecord
  /** The record's own bucket or the proxy's default. */
  readonly bucket: Bucket
}

/** All keys of one reading of the key file. */
export interface Keyring {
  readonly size: number
  /** The key with this digest; `undefined` when there is none. Finding it by digest, no comparison can leak time. */
  find(digest: string): Key | undefined
  /** The environments that keys name which work at `now` or will later (milliseconds since the epoch). */
  environments(now: number): ReadonlySet<string>
}

/** `defaultBucket` is for the keys that bring none. */
export function createKeyring(records: readonly KeyRecord[], defaultBucket: Bucket): Keyring {
  const keys = new Map<string, Key>()
  for (const record of records) keys.set(record.digest, { record, bucket: record.rateLimit ?? defaultBucket })
  return {
    size: keys.size,
    find: (digest) => keys.get(digest),
    environments: (now) =>
      new Set(records.filter((record) => isOfUse(record, now)).map(({ environment }) => environment)),
  }
}

function isOfUse(record: KeyRecord, now: number): boolean {
  const state = keyState(record, now)
  return state === "active" || state === "not yet"
}
