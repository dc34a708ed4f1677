import { parseApiKey } from "./contract/api-key.ts"
import { keyState } from "./contract/key-file.ts"
import type { Key, Keyring } from "./keys/keyring.ts"

/** Who asks. A denial has no reason: to a client all of them are the same 401. */
export type Caller = { readonly kind: "known"; readonly key: Key } | { readonly kind: "denied" }

/**
 * Reads an `Authorization` header (RFC 6750, 2.1; the scheme in any case, RFC 9110 11.1) at `now`, milliseconds since
 * the epoch. Whatever is not exactly one usable API key is denied; `null` is a request without the header.
 */
export function authenticate(authorization: string | null, keyring: Keyring, now: number): Caller {
  const secret = authorization === null ? undefined : bearer.exec(authorization)?.[1]
  const parsed = secret === undefined ? undefined : parseApiKey(secret)
  const key = parsed === undefined ? undefined : keyring.find(parsed.digest)
  if (key === undefined || keyState(key.record, now) !== "active") return denied
  return { kind: "known", key }
}

/** Several `Authorization` lines arrive joined by `, ` and fail here like two keys in one line. */
const bearer = /^bearer +([\w.~+/=-]{1,200})$/i

const denied: Caller = { kind: "denied" }
