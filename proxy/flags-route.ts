import type { Bucket } from "./contract/bucket.ts"
import type { KeyRecord } from "./contract/key-record.ts"
import { addressBlock } from "./http/client-address.ts"
import type { ProxyRequest } from "./http/exchange.ts"
import type { Answer } from "./http/h3-app.ts"
import type { PreparedDocument } from "./http/prepared-document.ts"
import {
  type Reply,
  respondDocument,
  respondFlagNotFound,
  respondForbidden,
  respondTooManyRequests,
  respondUnauthorized,
  respondUnavailable,
} from "./http/respond.ts"
import { authenticate } from "./keys/authenticate.ts"
import type { Keyring } from "./keys/keyring.ts"
import type { PreparedSnapshot } from "./prepare/prepared-snapshot.ts"
import type { LocalRateLimitStore, RateLimitStore } from "./rate-limit/memory-store.ts"
import type { Allowance } from "./rate-limit/token-bucket.ts"
import type { Generation } from "./snapshots/generation.ts"

/** What the route needs. The getters return what is current at this request, and the request keeps it to its end. */
export interface FlagsRouteParts {
  readonly keyring: () => Keyring
  readonly generation: () => Generation
  /** One bucket for each key id. */
  readonly keyLimits: RateLimitStore
  /** One bucket for each client address; only failed authentication draws on it. Strangers must not fill a store that is shared. */
  readonly strangerLimits: LocalRateLimitStore
  readonly strangerBucket: Bucket
  /** The address that failed authentication counts against; `undefined` if there is no socket. */
  readonly clientAddress: (request: ProxyRequest) => string | undefined
  /** Milliseconds since the epoch, for the keys' times. */
  readonly now: () => number
  /** Milliseconds that never go back, for the buckets. */
  readonly monotonicNow: () => number
}

/** Finds what was asked for in the caller's snapshot; `undefined` when it is not there. */
export type LookUp = (snapshot: PreparedSnapshot) => PreparedDocument | undefined

/** Answers with what was found: with a document, or with a stream of what happens to it. */
export type Respond = (...found: [...Parameters<typeof respondDocument>, KeyRecord]) => Answer

/**
 * Answers the operations of `docs/read-api.md`. The order of the steps matters: no answer shows whether a flag exists
 * without a key, and nothing is looked up for a caller that asks too often.
 */
export function answerFlags(
  reply: Reply,
  lookUp: LookUp,
  parts: FlagsRouteParts,
  respond: Respond = respondDocument,
): Answer | Promise<Answer> {
  const { exchange } = reply.request
  const caller = authenticate(reply.request.headers.authorization, parts.keyring(), "read", parts.now())
  if (caller.kind === "denied") {
    exchange.denial = caller.denial
    const stranger = addressBlock(parts.clientAddress(reply.request))
    const allowance = parts.strangerLimits.take(stranger, parts.strangerBucket, parts.monotonicNow())
    if (allowance.kind === "exhausted") return respondTooManyRequests(reply, allowance)
    return caller.denial === "for another use" ? respondForbidden(reply) : respondUnauthorized(reply)
  }

  const { record, bucket } = caller.key
  exchange.keyId = record.id
  const allowance = parts.keyLimits.take(record.id, bucket, parts.monotonicNow())
  return allowance instanceof Promise ? allowance.then(answerCaller) : answerCaller(allowance)

  function answerCaller(allowance: Allowance): Answer {
    if (allowance.kind === "exhausted") return respondTooManyRequests(reply, allowance)

    const snapshot = parts.generation().find(record)
    if (snapshot === undefined) return respondUnavailable(reply, allowance)
    const document = lookUp(snapshot)
    if (document === undefined) return respondFlagNotFound(reply, allowance)

    return respond(reply, document, allowance, record)
  }
}
