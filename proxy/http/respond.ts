import { allowedMethods, type HttpError, httpErrors } from "../contract/http.ts"
import type { Allowance } from "../rate-limit/token-bucket.ts"
import { chooseEncoding } from "./accept-encoding.ts"
import type { ProxyRequest } from "./exchange.ts"
import { Answer, type Stream } from "./h3-app.ts"
import { contentHeaders, type RawHeaders } from "./headers.ts"
import { matchesETag } from "./if-none-match.ts"
import type { PreparedDocument } from "./prepared-document.ts"

/** What is known about the request by the time it is answered. */
export interface Reply {
  readonly request: ProxyRequest
  /** CORS headers, usually none. */
  readonly cors: RawHeaders
}

/** 200 with the variant that the client prefers, or 304 if it already has that one. */
export function respondDocument(reply: Reply, document: PreparedDocument, allowance: Allowance): Answer {
  const { headers } = reply.request
  const variant = document[chooseEncoding(headers["accept-encoding"], document)] ?? document.identity
  return matchesETag(headers["if-none-match"], variant.etag)
    ? send(reply, 304, "Not Modified", null, [...variant.notModifiedHeaders, ...allowanceHeaders(allowance)])
    : send(reply, 200, "OK", variant.body, [...variant.okHeaders, ...allowanceHeaders(allowance)])
}

/** 400 for a request that HTTP/1.1 does not allow. */
export function respondBadRequest(reply: Reply): Answer {
  return sendError(reply, badRequest, noHeaders)
}

/**
 * 401, RFC 6750 section 3, with the bare challenge: `error="invalid_token"` would tell an attacker which guesses look
 * like keys.
 */
export function respondUnauthorized(reply: Reply): Answer {
  return sendError(reply, unauthorized, noHeaders)
}

/** 403 for a valid key with a different use. Never 401, after which SDKs give up for good. */
export function respondForbidden(reply: Reply): Answer {
  return sendError(reply, forbidden, noHeaders)
}

/** 429, which never reveals whose bucket it was. */
export function respondTooManyRequests(reply: Reply, allowance: Allowance & { kind: "exhausted" }): Answer {
  return sendError(reply, tooManyRequests, [
    "retry-after",
    String(allowance.retryAfter),
    ...allowanceHeaders(allowance),
  ])
}

/** 404 for a flag key that is not in the project. */
export function respondFlagNotFound(reply: Reply, allowance: Allowance): Answer {
  return sendError(reply, flagNotFound, allowanceHeaders(allowance))
}

/** 503 if the caller's environment has no snapshot: our fault, so never 401 or 404, after which SDKs give up. */
export function respondUnavailable(reply: Reply, allowance: Allowance): Answer {
  return sendError(reply, unavailable, allowanceHeaders(allowance))
}

/**
 * 200 with a stream of events. `x-accel-buffering` is for nginx, which would otherwise hold events back until a buffer
 * is full. The connection ends with the stream, so that the next one may reach a different proxy.
 */
export function respondEvents(reply: Reply, allowance: Allowance, stream: Stream): Answer {
  const headers = ["content-type", "text/event-stream", "x-accel-buffering", "no", "connection", "close"]
  const all = [...headers, ...neverCache, ...allowanceHeaders(allowance)]
  return send(reply, 200, "OK", null, all, stream)
}

/** 404 for a path that is not a route. */
export function respondNotFound(reply: Reply): Answer {
  return sendError(reply, notFound, noHeaders)
}

/** 405, with the `Allow` that RFC 9110 15.5.6 requires. */
export function respondMethodNotAllowed(reply: Reply): Answer {
  return sendError(reply, methodNotAllowed, noHeaders)
}

/** 500: the client learns only that it happened. */
export function respondInternalError(reply: Reply): Answer {
  return sendError(reply, internal, noHeaders)
}

/** 204, the answer to a preflight. */
export function respondPreflight(headers: RawHeaders): Answer {
  return new Answer(204, "No Content", null, headers)
}

/** A page in addition to the proxy's own routes. */
export interface Page {
  readonly body: Buffer
  /** All headers but the length. */
  readonly headers: RawHeaders
}

/** 200 with a page. */
export function respondPage(reply: Reply, { body, headers }: Page): Answer {
  return send(reply, 200, "OK", body, [...headers, "content-length", String(body.length)])
}

/** A health check's answer: 200, or 503 while the proxy should get no new requests. */
export function respondHealth(reply: Reply, isHealthy: boolean): Answer {
  return isHealthy
    ? send(reply, 200, "OK", healthy.body, healthy.headers)
    : sendError(reply, unavailable, noHeaders)
}

/** A whole HTTP/1.1 response for a client whose request could not be read; it closes the connection. */
export function formatRawError(error: HttpError): Buffer {
  const { status, statusText } = error
  const body = errorBody(error.error)
  const allow = error === httpErrors.methodNotAllowed ? `allow: ${allowedMethods}\r\n` : ""
  return Buffer.concat([
    Buffer.from(
      `HTTP/1.1 ${status} ${statusText}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n` +
        `${allow}cache-control: no-store\r\nconnection: close\r\n\r\n`,
    ),
    body,
  ])
}

/** The state of the bucket that a request drew on. */
export function allowanceHeaders(allowance: Allowance): RawHeaders {
  const remaining = allowance.kind === "allowed" ? allowance.remaining : 0
  return ["x-ratelimit-limit", String(allowance.limit), "x-ratelimit-remaining", String(remaining)]
}

function sendError(reply: Reply, error: PreparedError, headers: RawHeaders): Answer {
  return send(reply, error.status, error.statusText, error.body, [...error.headers, ...headers])
}

/** Completes every answer: `HEAD` has no body, and CORS adds its headers. */
export function send(
  { request, cors }: Reply,
  status: number,
  statusText: string,
  body: Buffer | string | null,
  headers: RawHeaders,
  stream?: Stream,
): Answer {
  const all = cors.length === 0 ? headers : [...headers, ...cors]
  return request.method === "HEAD"
    ? new Answer(status, statusText, null, all)
    : new Answer(status, statusText, body, all, stream)
}

interface PreparedError extends HttpError {
  readonly body: Buffer
  readonly headers: RawHeaders
}

function prepareError(error: HttpError, ...headers: RawHeaders): PreparedError {
  const body = errorBody(error.error)
  return { ...error, body, headers: [...contentHeaders(body.length), ...neverCache, ...headers] }
}

function errorBody(error: string): Buffer {
  return Buffer.from(JSON.stringify({ error }))
}

const noHeaders: RawHeaders = []
/** Errors and evaluations are never stored. */
export const neverCache: RawHeaders = ["cache-control", "no-store"]

const badRequest = prepareError(httpErrors.badRequest)
const unauthorized = prepareError(httpErrors.unauthorized, "www-authenticate", "Bearer")
const forbidden = prepareError(httpErrors.forbidden)
const notFound = prepareError(httpErrors.notFound)
const flagNotFound = prepareError(httpErrors.flagNotFound)
const methodNotAllowed = prepareError(httpErrors.methodNotAllowed, "allow", allowedMethods)
const tooManyRequests = prepareError(httpErrors.tooManyRequests)
const internal = prepareError(httpErrors.internal)
const unavailable = prepareError(httpErrors.unavailable, "retry-after", "10")

const healthyBody = Buffer.from('{"status":"ok"}')
const healthy = {
  body: healthyBody,
  headers: [...contentHeaders(healthyBody.length), ...neverCache],
}
