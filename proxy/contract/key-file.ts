/** A bucket's size in tokens and its refill in tokens per second. */
export interface Bucket {
  readonly capacity: number
  readonly refillPerSecond: number
}

/** One API key of the key file. Times are milliseconds since the epoch. */
export interface KeyRecord {
  /** The key's public name, unique in the file; it stands in logs, metrics and buckets. */
  readonly id: string
  readonly environment: string
  /** Lower-case hex SHA-256 of the secret. */
  readonly digest: string
  readonly createdAt: number
  /** Valid from this moment on; `undefined`: from the start. */
  readonly notBefore: number | undefined
  /** Not valid from this moment on; `undefined`: for ever. */
  readonly expiresAt: number | undefined
  /** Not valid from this moment on, whatever the other times say; `undefined`: not revoked. */
  readonly revokedAt: number | undefined
  readonly owner: string | undefined
  /** `undefined`: the proxy's default bucket. */
  readonly rateLimit: Bucket | undefined
}
