import { parseApiKey } from "../contract/api-key.ts"
import { isFor, type KeyRecord, type KeyUse, keyState } from "../contract/key-record.ts"
import type { Denial } from "../http/event-context.ts"
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

/** Several `Authorization` lines arrive joined by `, ` and fail here like two keys in one line. */
const bearer = /^bearer +([\w.~+/=-]{1,200})$/i
