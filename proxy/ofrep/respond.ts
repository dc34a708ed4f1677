import { hash } from "node:crypto"
import { evaluateMethod, type HttpError, httpErrors } from "../contract/http.ts"
import type { FlagResult } from "../evaluate/flag-result.ts"
import type { Denial } from "../http/exchange.ts"
import type { Answer } from "../http/h3-app.ts"
import { contentHeaders, type RawHeaders } from "../http/headers.ts"
import { matchesETag } from "../http/if-none-match.ts"
import { allowanceHeaders, neverCache, type Reply, send } from "../http/respond.ts"
import type { Allowance } from "../rate-limit/token-bucket.ts"

/** What is known about a request to evaluate by the time it is answered. */
export interface EvaluateReply extends Reply {
  /** The requested flag; `undefined`: all flags. */
  readonly key: string | undefined
}

/** 200 with a flag's value, or 400 if it has none. */
export function respondFlagResult(
  reply: EvaluateReply,
  { text, bytes, failure }: FlagResult,
  allowance: Allowance,
): Answer {
  if (failure !== undefined)
    return respondBadRequest(reply, failure.errorCode, failure.errorDetails, allowance)
  return send(reply, 200, "OK", text, [
    ...contentHeaders(bytes),
    ...neverCache,
    ...allowanceHeaders(allowance),
  ])
}

/**
 * 200 with all flags, or 304 if the client already has them. The tag covers the whole answer, not only the flags:
 * clients send their old tag even with a different context, and use the event address in the answer that they have. `*`
 * would match any answer, so it does not count.
 */
export function respondAll(
  reply: EvaluateReply,
  flags: string,
  eventStreams: string | undefined,
  allowance: Allowance,
): Answer {
  const text = eventStreams === undefined ? flags : `${flags.slice(0, -1)},"eventStreams":${eventStreams}}`
  const etag = `"${hash("sha256", text, "hex").slice(0, 32)}"`
  const headers = ["etag", etag, ...neverCache, ...allowanceHeaders(allowance)]
  const has = reply.request.headers["if-none-match"]
  return has !== "*" && matchesETag(has, etag)
    ? send(reply, 304, "Not Modified", null, headers)
    : send(reply, 200, "OK", text, [...contentHeaders(Buffer.byteLength(text)), ...headers])
}

/** 400 for a body without a readable context, or a flag that cannot be evaluated here. */
export function respondBadRequest(
  reply: EvaluateReply,
  errorCode: string,
  errorDetails: string,
  allowance: Allowance,
): Answer {
  return sendError(reply, httpErrors.badRequest, allowanceHeaders(allowance), errorCode, errorDetails)
}

/** 401, or 403 for a valid key that is not for evaluating. Never 404, which clients take for a missing flag. */
export function respondDenied(reply: EvaluateReply, denial: Denial): Answer {
  return denial === "for another use"
    ? sendError(reply, httpErrors.forbidden, [], "GENERAL", "This API key is only for reading flags")
    : sendError(reply, httpErrors.unauthorized, ["www-authenticate", "Bearer"])
}

/** 404 for a flag that is not in the project, and for nothing else. */
export function respondFlagNotFound(reply: EvaluateReply, allowance: Allowance): Answer {
  return sendError(reply, httpErrors.flagNotFound, allowanceHeaders(allowance), "FLAG_NOT_FOUND")
}

/** 405 for every method but `POST`, except for preflights. */
export function respondMethodNotAllowed(reply: EvaluateReply): Answer {
  return sendError(reply, httpErrors.methodNotAllowed, ["allow", evaluateMethod])
}

/** 413 for a body that is too long. */
export function respondTooLong(reply: EvaluateReply, allowance: Allowance): Answer {
  return sendError(reply, httpErrors.contentTooLarge, allowanceHeaders(allowance))
}

/** 408 for a body that does not arrive in time. The rest of it may still arrive, so no other request can follow. */
export function respondTooSlow(reply: EvaluateReply, allowance: Allowance): Answer {
  return sendError(reply, httpErrors.requestTimeout, ["connection", "close", ...allowanceHeaders(allowance)])
}

/** 429. `Retry-After` is in whole seconds, the only form that all clients read. */
export function respondTooManyRequests(
  reply: EvaluateReply,
  allowance: Allowance & { kind: "exhausted" },
): Answer {
  const retryAfter = ["retry-after", String(allowance.retryAfter)]
  return sendError(reply, httpErrors.tooManyRequests, [...retryAfter, ...allowanceHeaders(allowance)])
}

/** 500. */
export function respondInternalError(reply: EvaluateReply): Answer {
  return sendError(reply, httpErrors.internal, [])
}

/** 503 if the key's environment has no snapshot, or there is no room for the body. */
export function respondUnavailable(reply: EvaluateReply, allowance: Allowance): Answer {
  return sendError(reply, httpErrors.unavailable, ["retry-after", "10", ...allowanceHeaders(allowance)])
}

/** The body has the members of OFREP and of `/v1/flags`. Each client needs a JSON object, for every status. */
function sendError(
  reply: EvaluateReply,
  { status, statusText, error }: HttpError,
  headers: RawHeaders,
  errorCode = "GENERAL",
  errorDetails = error,
): Answer {
  const text = JSON.stringify({ error, key: reply.key, errorCode, errorDetails })
  const all = [...contentHeaders(Buffer.byteLength(text)), ...neverCache, ...headers]
  return send(reply, status, statusText, text, all)
}
