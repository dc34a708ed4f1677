import type { H3Event } from "h3"
import type { KeyRecord } from "./contract/key-record.ts"
import type { PreparedDocument } from "./http/prepared-document.ts"
import { allowanceHeaders, respondDocument, respondError, respondTooManyRequests } from "./http/respond.ts"
import { type AdmissionParts, authenticate, noteDenial } from "./keys/authenticate.ts"
import type { PreparedSnapshot } from "./prepare/prepared-snapshot.ts"
import type { RateLimitStore } from "./rate-limit/memory-store.ts"
import type { Allowance } from "./rate-limit/token-bucket.ts"

/** What the route needs. */
export interface FlagsRouteParts extends AdmissionParts {
  /** One bucket for each key id; streams have one of their own. */
  readonly keyLimits: RateLimitStore
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
    const allowance = noteDenial(event, caller.denial, parts)
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
