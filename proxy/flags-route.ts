import type { H3Event } from "h3"
import type { Bucket } from "./contract/bucket.ts"
import type { KeyRecord } from "./contract/key-record.ts"
import { addressBlock } from "./http/client-address.ts"
import type { PreparedDocument } from "./http/prepared-document.ts"
import { allowanceHeaders, respondDocument, respondError, respondTooManyRequests } from "./http/respond.ts"
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
  /** One bucket for each key id; streams have one of their own. */
  readonly keyLimits: RateLimitStore
  /**
   * One bucket for each client address; only failed authentication draws on it. Local, because strangers must not fill
   * a shared store.
   */
  readonly strangerLimits: LocalRateLimitStore
  readonly strangerBucket: Bucket
  /** The address against which failed authentication counts; `undefined` if there is no socket. */
  readonly clientAddress: (event: H3Event) => string | undefined
  /** Milliseconds since the epoch, for the keys' times. */
  readonly now: () => number
  /** Monotonic clock, in milliseconds, for the buckets. */
  readonly monotonicNow: () => number
}

/** Finds the requested document in the caller's snapshot; `undefined` if it is not there. */
export type LookUp = (snapshot: PreparedSnapshot) => PreparedDocument | undefined

/** Answers with the document that was found, or with a stream of its changes. */
export type Respond = (...found: [...Parameters<typeof respondDocument>, KeyRecord]) => Response

/**
 * Answers the operations of `docs/read-api.md`. The order of the steps matters: without a key, no answer shows whether
 * a flag exists, and nothing is looked up for a caller that asks too often. A client with a valid key for a different
 * use gets 403, and one whose environment has no snapshot 503: after 401 and 404, SDKs give up for good.
 */
export function answerFlags(
  event: H3Event,
  lookUp: LookUp,
  parts: FlagsRouteParts,
  respond: Respond = respondDocument,
): Response | Promise<Response> {
  const { req, context } = event
  const caller = authenticate(req.headers.get("authorization"), parts.keyring(), "read", parts.now())
  if (caller.kind === "denied") {
    context.denial = caller.denial
    const stranger = addressBlock(parts.clientAddress(event))
    const allowance = parts.strangerLimits.take(stranger, parts.strangerBucket, parts.monotonicNow())
    if (allowance.kind === "exhausted") return respondTooManyRequests(event, allowance)
    return respondError(event, caller.denial === "for another use" ? "forbidden" : "unauthorized")
  }

  const { record, bucket } = caller.key
  context.keyId = record.id
  const allowance = parts.keyLimits.take(record.id, bucket, parts.monotonicNow())
  return allowance instanceof Promise ? allowance.then(answerCaller) : answerCaller(allowance)

  function answerCaller(allowance: Allowance): Response {
    if (allowance.kind === "exhausted") return respondTooManyRequests(event, allowance)

    const snapshot = parts.generation().find(record)
    if (snapshot === undefined) return respondError(event, "unavailable", allowanceHeaders(allowance))
    const document = lookUp(snapshot)
    if (document === undefined) return respondError(event, "flagNotFound", allowanceHeaders(allowance))

    return respond(event, document, allowance, record)
  }
}
