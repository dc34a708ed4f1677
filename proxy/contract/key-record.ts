import { isScalar, isSeq, type Node } from "yaml"
import { type Bucket, minRefill } from "./bucket.ts"
import { isEnvironmentName, isProjectName } from "./environment-name.ts"
import { isFlagGlob } from "./flag-globs.ts"
import { parseTime } from "./time.ts"
import {
  type Complain,
  type MemberReaders,
  offsetOf,
  type Placed,
  readMembers,
  scalar,
} from "./yaml-members.ts"

/** What a key may be for: to read the flags with their rules, or to have them evaluated. */
export const keyUses = ["read", "evaluate"] as const

export type KeyUse = (typeof keyUses)[number]

/** One API key of the key file. Times are milliseconds since the epoch. */
export interface KeyRecord {
  /** The key's public name, unique in the file; logs, metrics and buckets use it. */
  readonly id: string
  /** The project whose flags it reads; `undefined`: the only one that the proxy serves. */
  readonly project: string | undefined
  readonly environment: string
  /** The key's only use; `undefined`: both uses. */
  readonly for: KeyUse | undefined
  /** Globs of the flags that it may evaluate; only keys that are `for: evaluate` have them. `undefined`: all flags. */
  readonly flags: readonly string[] | undefined
  /** Lower-case hex SHA-256 of the secret. */
  readonly digest: string
  readonly createdAt: number
  /** Valid from this time on; `undefined`: from the start. */
  readonly notBefore: number | undefined
  /** Not valid from this time on; `undefined`: it never expires. */
  readonly expiresAt: number | undefined
  /** Not valid from this time on, regardless of the other times; `undefined`: not revoked. */
  readonly revokedAt: number | undefined
  readonly owner: string | undefined
  /** Its bucket for reading, and the one of each client address for evaluating; `undefined`: the proxy's defaults. */
  readonly rateLimit: Bucket | undefined
}

/** Only an `active` key gives access. */
export type KeyState = "active" | "not yet" | "expired" | "revoked"

/** A key's state at a time in milliseconds since the epoch. */
export function keyState(
  { notBefore = -Infinity, expiresAt = Infinity, revokedAt = Infinity }: KeyRecord,
  now: number,
): KeyState {
  if (now >= revokedAt) return "revoked"
  if (now >= expiresAt) return "expired"
  if (now < notBefore) return "not yet"
  return "active"
}

/** The time from which a key is never valid again; `Infinity`: none. */
export function keyEnd({ expiresAt = Infinity, revokedAt = Infinity }: KeyRecord): number {
  return Math.min(expiresAt, revokedAt)
}

/** Whether a key may be used for this. */
export function isFor(key: KeyRecord, use: KeyUse): boolean {
  return key.for === undefined || key.for === use
}

/** A key with the offsets of the members that must be unique. */
export interface PlacedRecord {
  readonly record: KeyRecord
  readonly id: Placed<string>
  readonly digest: Placed<string>
}

/** Reads one element of `keys`; `undefined` if it has a mistake, which is noted. */
export function readKeyRecord(node: Node, complain: Complain): PlacedRecord | undefined {
  const found = readMembers<KeyRecord>(node, recordMembers, complain)
  const { id, environment, digest, createdAt, notBefore, expiresAt } = found
  if (expiresAt && createdAt && expiresAt.value <= createdAt.value) {
    complain(expiresAt.offset, "the key expires before it was created; fix one of the two times")
  }
  if (expiresAt && notBefore && expiresAt.value <= notBefore.value) {
    complain(expiresAt.offset, "the key expires before its notBefore; fix one of the two times")
  }
  if (found.flags && found.for?.value !== "evaluate") {
    complain(
      found.flags.offset,
      "only a key that is `for: evaluate` can have `flags`: a key that reads gets all flags",
    )
  }
  if (!id || !environment || !digest || !createdAt) return undefined
  const record: KeyRecord = {
    id: id.value,
    project: found.project?.value,
    environment: environment.value,
    for: found.for?.value,
    flags: found.flags?.value,
    digest: digest.value,
    createdAt: createdAt.value,
    notBefore: notBefore?.value,
    expiresAt: expiresAt?.value,
    revokedAt: found.revokedAt?.value,
    owner: found.owner?.value,
    rateLimit: found.rateLimit?.value,
  }
  return { record, id, digest }
}

/** Whether a key can have this id. An id with `fsk_` in it may be a secret, and ids are logged. */
export function isKeyId(text: string): boolean {
  return /^(?!.*fsk_)[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(text)
}

/** Whether a key can have this owner; a control character could forge a line in a log or a terminal. */
export function isOwner(text: string): boolean {
  return /^(?!.*fsk_)[^\p{Cc}\p{Zl}\p{Zp}]{1,200}$/u.test(text)
}

const alphabet = "letters, digits, dots, dashes and underscores, and begins with a letter or digit"

/** Reads a time, in milliseconds since the epoch. */
export const readTime = scalar('a time is written in UTC, like "2026-11-21T10:00:00.000Z"', (value) =>
  typeof value === "string" && value.endsWith("Z") ? parseTime(value) : undefined,
)

const bucketMembers: MemberReaders<Bucket> = {
  capacity: {
    required: true,
    read: scalar("a capacity is a whole number, at least 1", (value) =>
      Number.isSafeInteger(value) && Number(value) >= 1 ? Number(value) : undefined,
    ),
  },
  refillPerSecond: {
    required: true,
    read: scalar("a refillPerSecond is at least one token a day: 0.0000116", (value) =>
      Number.isFinite(value) && Number(value) >= minRefill ? Number(value) : undefined,
    ),
  },
}

const recordMembers: MemberReaders<KeyRecord> = {
  id: { required: true, read: scalar(`an id has up to 128 ${alphabet}`, textThat(isKeyId)) },
  project: {
    required: false,
    read: scalar(`a project has up to 64 ${alphabet}`, textThat(isProjectName)),
  },
  environment: {
    required: true,
    read: scalar(
      `an environment has up to 64 ${alphabet}; it is never "manifest"`,
      textThat(isEnvironmentName),
    ),
  },
  for: {
    required: false,
    read: scalar("a key is for read or for evaluate; without `for` it may do both", (value) =>
      keyUses.find((use) => use === value),
    ),
  },
  flags: { required: false, read: readGlobs },
  digest: {
    required: true,
    read: scalar(
      "a digest is sha256: and 64 lower-case hex digits; `flagstone keys create` writes it",
      (value) => (typeof value === "string" ? /^sha256:([0-9a-f]{64})$/.exec(value)?.[1] : undefined),
    ),
  },
  createdAt: { required: true, read: readTime },
  notBefore: { required: false, read: readTime },
  expiresAt: { required: false, read: readTime },
  revokedAt: { required: false, read: readTime },
  owner: {
    required: false,
    read: scalar("an owner is one line of at most 200 characters, and no secret", textThat(isOwner)),
  },
  rateLimit: { required: false, read: readBucket },
}

function readGlobs(node: Node, complain: Complain): readonly string[] | undefined {
  const globs = isSeq(node) ? node.items.map((item) => (isScalar(item) ? item.value : undefined)) : []
  if (globs.length > 0 && globs.length <= 100 && globs.every(isGlob)) return globs
  complain(
    offsetOf(node),
    'flags are a list of 1 to 100 globs of flag keys, such as ["web/**", "checkout-*"], with * or ** at most twice in each',
  )
  return undefined
}

function isGlob(value: unknown): value is string {
  return typeof value === "string" && isFlagGlob(value)
}

function readBucket(node: Node, complain: Complain): Bucket | undefined {
  const { capacity, refillPerSecond } = readMembers<Bucket>(node, bucketMembers, complain)
  return capacity && refillPerSecond && { capacity: capacity.value, refillPerSecond: refillPerSecond.value }
}

function textThat(holds: (text: string) => boolean): (value: unknown) => string | undefined {
  return (value) => (typeof value === "string" && holds(value) ? value : undefined)
}
