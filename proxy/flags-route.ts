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

/** What the route needs. The getters return the current state; a request keeps what it got until it ends. */
export interface FlagsRouteParts {
  readonly keyring: () => Keyring
  readonly generation: () => Generation
  /** One bucket for each key id. */
  readonly keyLimits: RateLimitStore
  /**
   * One bucket for each client address; only failed authentication draws on it. Local, because strangers must not fill
   * a shared store.
   */
  readonly strangerLimits: LocalRateLimitStore
  readonly strangerBucket: Bucket
  /** The address against which failed authentication counts; `undefined` if there is no socket. */
  readonly clientAddress: (request: ProxyRequest) => string | undefined
  /** Milliseconds since the epoch, for the keys' times. */
  readonly now: () => number
  /** Monotonic clock, in milliseconds, for the buckets. */
  readonly monotonicNow: () => number
}

/** Finds the requested document in the caller's snapshot; `undefined` if it is not there. */
export type LookUp = (snapshot: PreparedSnapshot) => PreparedDocument | undefined

/** Answers with the document that was found, or with a stream of its changes. */
export type Respond = (...found: [...Parameters<typeof respondDocument>, KeyRecord]) => Answer

/**
 * Answers the operations of `docs/read-api.md`. The order of the steps matters: without a key, no answer shows whether
 * a flag exists, and nothing is looked up for a caller that asks too often.
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
