import type { H3Event } from "h3"
import { FastResponse } from "srvx"
import { allowedMethods, type HttpError, httpErrors } from "../contract/http.ts"
import type { Allowance } from "../rate-limit/token-bucket.ts"
import { chooseEncoding } from "./accept-encoding.ts"
import type { AllowedByCors, Cors } from "./cors.ts"
import { contentHeaders, type HeaderPairs, neverCache } from "./headers.ts"
import { matchesETag } from "./if-none-match.ts"
import type { PreparedDocument } from "./prepared-document.ts"

/** 200 with the variant that the client prefers, or 304 if it already has that one. */
export function respondDocument(event: H3Event, document: PreparedDocument, allowance: Allowance): Response {
  const { headers } = event.req
  const variant = document[chooseEncoding(headers.get("accept-encoding"), document)] ?? document.identity
  return matchesETag(headers.get("if-none-match"), variant.etag)
    ? respond(event, notModified, null, [...variant.notModifiedHeaders, ...allowanceHeaders(allowance)])
    : respond(event, ok, variant.body, [...variant.okHeaders, ...allowanceHeaders(allowance)])
}

/**
 * 200 with a stream of events, or with none for `HEAD`. `x-accel-buffering` is for nginx, which would otherwise hold
 * events back until a buffer is full. The connection ends with the stream, so that the next one may reach a different
 * proxy.
 */
export function respondEvents(event: H3Event, allowance: Allowance, stream: () => ReadableStream): Response {
  return respond(event, ok, event.req.method === "HEAD" ? null : stream(), [
    ["content-type", "text/event-stream"],
    ["x-accel-buffering", "no"],
    ["connection", "close"],
    ...neverCache,
    ...allowanceHeaders(allowance),
  ])
}

/** The answer for an error, of which the client learns nothing but its name. */
export function respondError(event: H3Event, error: ErrorName, headers: HeaderPairs = []): Response {
  const prepared = preparedErrors[error]
  return respond(event, prepared, prepared.body, [...prepared.headers, ...headers])
}

/** 429, which never reveals whose bucket it was. */
export function respondTooManyRequests(
  event: H3Event,
  allowance: Allowance & { kind: "exhausted" },
): Response {
  return respondError(event, "tooManyRequests", exhaustedHeaders(allowance))
}

/** 204, the answer to a preflight; `undefined`: it is none, or is not allowed. */
export function respondPreflight(event: H3Event, cors: Cors, allowed: AllowedByCors): Response | undefined {
  const headers = cors.preflight(event, allowed)
  return headers && respond(event, { status: 204, statusText: "No Content" }, null, headers)
}

/** A page in addition to the proxy's own routes. */
export interface Page {
  readonly body: Buffer
  /** All headers but the length. */
  readonly headers: HeaderPairs
}

/** 200 with a page. */
export function respondPage(event: H3Event, { body, headers }: Page): Response {
  return respond(event, ok, body, [...headers, ["content-length", String(body.length)]])
}

/** A health check's answer: 200, or 503 while the proxy should get no new requests. */
export function respondHealth(event: H3Event, isHealthy: boolean): Response {
  return isHealthy ? respond(event, ok, healthy.body, healthy.headers) : respondError(event, "unavailable")
}

/** A whole HTTP/1.1 response for a client whose request could not be read; it closes the connection. */
export function formatRawError(error: HttpError): Buffer {
  const { status, statusText } = error
  const body = errorBody(error)
  const allow = error === httpErrors.methodNotAllowed ? `allow: ${allowedMethods}\r\n` : ""
  return Buffer.from(
    `HTTP/1.1 ${status} ${statusText}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n` +
      `${allow}cache-control: no-store\r\nconnection: close\r\n\r\n${body}`,
  )
}

/** The state of the bucket that a request drew on. */
export function allowanceHeaders(allowance: Allowance): HeaderPairs {
  const remaining = allowance.kind === "allowed" ? allowance.remaining : 0
  return [
    ["x-ratelimit-limit", String(allowance.limit)],
    ["x-ratelimit-remaining", String(remaining)],
  ]
}

/** The state of an empty bucket. `Retry-After` is in whole seconds, the only form that all clients read. */
export function exhaustedHeaders(allowance: Allowance & { kind: "exhausted" }): HeaderPairs {
  return [["retry-after", String(allowance.retryAfter)], ...allowanceHeaders(allowance)]
}

/** Completes every answer: `HEAD` has no body, and CORS adds its headers. */
export function respond(
  { req, context: { cors } }: H3Event,
  { status, statusText }: { readonly status: number; readonly statusText: string },
  body: Buffer | string | ReadableStream | null,
  headers: HeaderPairs,
): Response {
  const all = cors === undefined ? headers : [...headers, ...cors]
  const init = { status, statusText, headers: all as [string, string][] } // srvx only reads
  if (body instanceof ReadableStream) return new Response(body, init)
  return req.method === "HEAD" ? withoutBody(init) : new FastResponse(body as BodyInit | null, init)
}

/** h3 asks the answer to a `HEAD` for its body, for which srvx would make native headers, with one line for each name. */
function withoutBody(init: ResponseInit): Response {
  return Object.defineProperty(new FastResponse(null, init), "body", { value: null })
}

export const ok = { status: 200, statusText: "OK" }
export const notModified = { status: 304, statusText: "Not Modified" }

function errorBody({ error }: HttpError): string {
  return JSON.stringify({ error })
}

/** One of the errors that the proxy can answer. */
export type ErrorName = keyof typeof httpErrors

/** What an error always has. */
const errorHeaders = new Map<string, HeaderPairs>([
  // RFC 6750, 3, with the bare challenge: `error="invalid_token"` would tell an attacker which guesses look like keys.
  ["unauthorized", [["www-authenticate", "Bearer"]]],
  ["methodNotAllowed", [["allow", allowedMethods]]], // RFC 9110, 15.5.6
  ["unavailable", [["retry-after", "10"]]],
])

interface PreparedError extends HttpError {
  readonly body: string
  readonly headers: HeaderPairs
}

/** All errors, ready to be sent. */
export const preparedErrors = Object.fromEntries(
  Object.entries<HttpError>(httpErrors).map(([name, error]): [string, PreparedError] => {
    const body = errorBody(error)
    const headers = [...contentHeaders(body.length), ...neverCache, ...(errorHeaders.get(name) ?? [])]
    return [name, { ...error, body, headers }]
  }),
) as Readonly<Record<ErrorName, PreparedError>>

const healthyBody = '{"status":"ok"}'
const healthy = { body: healthyBody, headers: [...contentHeaders(healthyBody.length), ...neverCache] }
