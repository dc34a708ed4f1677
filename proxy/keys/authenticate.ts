import type { H3Event } from "h3"
import { parseApiKey } from "../contract/api-key.ts"
import type { Bucket } from "../contract/bucket.ts"
import { isFor, type KeyRecord, type KeyUse, keyState } from "../contract/key-record.ts"
import { addressBlock } from "../http/client-address.ts"
import type { Denial } from "../http/event-context.ts"
import type { LocalRateLimitStore } from "../rate-limit/memory-store.ts"
import type { Allowance } from "../rate-limit/token-bucket.ts"
import type { Generation } from "../snapshots/generation.ts"
import type { Key, Keyring } from "./keyring.ts"

/** The client that sends a request. */
export type Caller =
  | { readonly kind: "known"; readonly key: Key }
  | { readonly kind: "denied"; readonly denial: Denial }

/**
 * Reads an `Authorization` header (RFC 6750, 2.1; the scheme in any case, RFC 9110 11.1) at `now`, milliseconds since
 * the epoch. Anything but exactly one usable API key for `use` is denied; `null`: the request has no such header.
 */
export function authenticate(
  authorization: string | null,
  keyring: Keyring,
  use: KeyUse,
  now: number,
): Caller {
  if (authorization === null) return { kind: "denied", denial: "missing" }
  const known = keyring.findByHeader(authorization)
  if (known !== undefined && keyState(known.record, now) === "active") return admit(known, use)
  const secret = bearer.exec(authorization)?.[1]
  const parsed = secret === undefined ? undefined : parseApiKey(secret)
  if (parsed === undefined) return { kind: "denied", denial: "malformed" }
  const key = keyring.find(parsed.digest)
  if (key === undefined) return { kind: "denied", denial: "unknown" }
  const state = keyState(key.record, now)
  if (state !== "active") return { kind: "denied", denial: state }
  keyring.rememberHeader(authorization, key)
  return admit(key, use)
}

function admit(key: Key, use: KeyUse): Caller {
  return isFor(key.record, use) ? { kind: "known", key } : { kind: "denied", denial: "for another use" }
}

/** Why a key cannot be used for `use` now; `undefined`: it can. */
export function denialOf(record: KeyRecord, use: KeyUse, now: number): Denial | undefined {
  const state = keyState(record, now)
  if (state !== "active") return state
  return isFor(record, use) ? undefined : "for another use"
}

/** What a route that needs a key has to know. The getters return the current state; a request keeps what it got until it ends. */
export interface AdmissionParts {
  readonly keyring: () => Keyring
  readonly generation: () => Generation
  /**
   * One bucket for each client address; only failed authentication draws on it. Local, because strangers must not fill
   * a shared store.
   */
  readonly strangerLimits: LocalRateLimitStore
  readonly strangerBucket: Bucket
  /** `undefined` if there is no socket. */
  readonly clientAddress: (event: H3Event) => string | undefined
  /** Milliseconds since the epoch, for the keys' times. */
  readonly now: () => number
  /** Monotonic clock, in milliseconds, for the buckets. */
  readonly monotonicNow: () => number
}

/** Notes that authentication failed, and counts it against the client's address. */
export function noteDenial(event: H3Event, denial: Denial, parts: AdmissionParts): Allowance {
  event.context.denial = denial
  const stranger = addressBlock(parts.clientAddress(event))
  return parts.strangerLimits.take(stranger, parts.strangerBucket, parts.monotonicNow())
}

/** Several `Authorization` lines arrive joined by `, ` and fail here like two keys in one line. */
const bearer = /^bearer +([\w.~+/=-]{1,200})$/i
