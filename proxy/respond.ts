import { FastResponse } from "srvx"
import { allowedMethods, type HttpError, httpErrors } from "./contract/http.ts"
import type { Exchange } from "./exchange.ts"
import { chooseEncoding, type Encoding } from "./http/accept-encoding.ts"
import { matchesETag } from "./http/if-none-match.ts"
import type { Allowance } from "./rate-limit/token-bucket.ts"
import type { PreparedDocument } from "./snapshots/prepared-document.ts"

/** Headers as name and value, names in lower case: the form that costs least to send. */
export type HeaderPairs = readonly HeaderPair[]
export type HeaderPair = readonly [name: string, value: string]

/** A `Request`, its peer's address where there is a socket, and what is noted about it where somebody observes. */
export type ProxyRequest = Request & {
  readonly ip?: string | undefined
  readonly exchange?: Exchange | undefined
}

/** What is known about the request by the time it is answered. */
export interface Reply {
  readonly request: ProxyRequest
  /** Headers of CORS, mostly none. */
  readonly cors: HeaderPairs
}

/** 200 with the variant that the client likes best, or 304 when it has that one already. */
export function respondDocument(reply: Reply, document: PreparedDocument, allowance: Allowance): Response {
  const { headers } = reply.request
  const encoding = chooseEncoding(headers.get("accept-encoding"), (coding) => document[coding] !== undefined)
  const variant = document[encoding] ?? document.identity
  return matchesETag(headers.get("if-none-match"), variant.etag)
    ? send(reply, 304, "Not Modified", null, [...variant.notModifiedPairs, ...allowancePairs(allowance)])
    : send(reply, 200, "OK", variant.body, [...variant.okPairs, ...allowancePairs(allowance)])
}

/** 400 for a request that HTTP/1.1 does not allow. */
export function respondBadRequest(reply: Reply): Response {
  return sendError(reply, badRequest, noPairs)
}

/** 401, RFC 6750 section 3. The bare challenge: `error="invalid_token"` would tell a guess from a mistake. */
export function respondUnauthorized(reply: Reply): Response {
  return sendError(reply, unauthorized, noPairs)
}

/** 429, which never says whose bucket it was. */
export function respondTooManyRequests(reply: Reply, allowance: Allowance & { kind: "exhausted" }): Response {
  return sendError(reply, tooManyRequests, [
    ["retry-after", String(allowance.retryAfter)],
    ...allowancePairs(allowance),
  ])
}

/** 404 for a flag key that is not in the project. */
export function respondFlagNotFound(reply: Reply, allowance: Allowance): Response {
  return sendError(reply, flagNotFound, allowancePairs(allowance))
}

/** 503 where the caller's environment has no snapshot: our fault, so never 401 or 404, on which SDKs give up. */
export function respondUnavailable(reply: Reply, allowance: Allowance): Response {
  return sendError(reply, unavailable, allowancePairs(allowance))
}

/** 404 for a path that is no route. */
export function respondNotFound(reply: Reply): Response {
  return sendError(reply, notFound, noPairs)
}

/** 405, with the `Allow` that RFC 9110 15.5.6 demands. */
export function respondMethodNotAllowed(reply: Reply): Response {
  return sendError(reply, methodNotAllowed, noPairs)
}

/** 500, of which the client learns nothing but that it happened. */
export function respondInternalError(reply: Reply): Response {
  return sendError(reply, internal, noPairs)
}

/** 204, the answer to a preflight. */
export function respondPreflight(pairs: HeaderPairs): Response {
  return createResponse(204, "No Content", null, pairs)
}

/** A health check's answer: 200, or 503 while the proxy should get no new requests. */
export function respondHealth(reply: Reply, isHealthy: boolean): Response {
  return isHealthy
    ? send(reply, 200, "OK", healthy.body, healthy.pairs)
    : sendError(reply, unavailable, noPairs)
}

/** A whole HTTP/1.1 message for a client whose own could not be read; it closes the connection. */
export function formatRawError({ status, statusText, error }: HttpError): Buffer {
  const body = errorBody(error)
  return Buffer.concat([
    Buffer.from(
      `HTTP/1.1 ${status} ${statusText}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n` +
        "cache-control: no-store\r\nconnection: close\r\n\r\n",
    ),
    body,
  ])
}

/** The headers of 200, shared by all responses with the variant. */
export function okPairs(etag: string, encoding: Encoding, length: number): HeaderPairs {
  const pairs: HeaderPairs = [contentType, ["content-length", String(length)], ...notModifiedPairs(etag)]
  return encoding === "identity" ? pairs : [...pairs, ["content-encoding", encoding]]
}

/** RFC 9110, 15.4.5: what 200 would have said about caching. Never `public`: one URL has a document for each key. */
export function notModifiedPairs(etag: string): HeaderPairs {
  return [["etag", etag], cachePrivately, varyByKeyAndEncoding]
}

function allowancePairs(allowance: Allowance): HeaderPairs {
  const remaining = allowance.kind === "allowed" ? allowance.remaining : 0
  return [
    ["x-ratelimit-limit", String(allowance.limit)],
    ["x-ratelimit-remaining", String(remaining)],
  ]
}

function sendError(reply: Reply, error: PreparedError, pairs: HeaderPairs): Response {
  return send(reply, error.status, error.statusText, error.body, [...error.pairs, ...pairs])
}

function send(
  { request, cors }: Reply,
  status: number,
  statusText: string,
  body: Buffer | null,
  pairs: HeaderPairs,
): Response {
  const headers = cors.length === 0 ? pairs : [...pairs, ...cors]
  return createResponse(status, statusText, request.method === "HEAD" ? null : body, headers)
}

/** The response is new for each request, because it can be sent once; bytes and pairs are shared. */
function createResponse(
  status: number,
  statusText: string,
  body: Buffer | null,
  headers: HeaderPairs,
): Response {
  // The types of srvx take neither shared nor read-only memory; it only reads.
  const init = { status, statusText, headers: headers as [string, string][] }
  return new FastResponse(body as Buffer<ArrayBuffer> | null, init)
}

interface PreparedError extends HttpError {
  readonly body: Buffer
  readonly pairs: HeaderPairs
}

function prepareError(error: HttpError, ...pairs: HeaderPairs): PreparedError {
  const body = errorBody(error.error)
  return {
    ...error,
    body,
    pairs: [contentType, ["content-length", String(body.length)], neverCache, ...pairs],
  }
}

function errorBody(error: string): Buffer {
  return Buffer.from(JSON.stringify({ error }))
}

const noPairs: HeaderPairs = []
const contentType: HeaderPair = ["content-type", "application/json"]
const neverCache: HeaderPair = ["cache-control", "no-store"]
const cachePrivately: HeaderPair = ["cache-control", "private, no-cache"]
const varyByKeyAndEncoding: HeaderPair = ["vary", "Authorization, Accept-Encoding"]

const badRequest = prepareError(httpErrors.badRequest)
const unauthorized = prepareError(httpErrors.unauthorized, ["www-authenticate", "Bearer"])
const notFound = prepareError(httpErrors.notFound)
const flagNotFound = prepareError(httpErrors.flagNotFound)
const methodNotAllowed = prepareError(httpErrors.methodNotAllowed, ["allow", allowedMethods])
const tooManyRequests = prepareError(httpErrors.tooManyRequests)
const internal = prepareError(httpErrors.internal)
const unavailable = prepareError(httpErrors.unavailable, ["retry-after", "10"])

const healthyBody = Buffer.from('{"status":"ok"}')
const healthy = {
  body: healthyBody,
  pairs: [contentType, ["content-length", String(healthyBody.length)], neverCache] as HeaderPairs,
}
