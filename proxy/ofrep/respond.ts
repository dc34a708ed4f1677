import { hash } from "node:crypto"
import type { H3Event } from "h3"
import { httpErrors } from "../contract/http.ts"
import type { FlagResult } from "../evaluate/flag-result.ts"
import { contentHeaders, type HeaderPairs, neverCache } from "../http/headers.ts"
import { matchesETag } from "../http/if-none-match.ts"
import { allowanceHeaders, notModified, ok, respond } from "../http/respond.ts"
import type { Allowance } from "../rate-limit/token-bucket.ts"

/** A request to evaluate. */
export interface EvaluateRequest {
  readonly event: H3Event
  /** The requested flag; `undefined`: all flags. */
  readonly key: string | undefined
}

/** 200 with a flag's value and the document's `metadata`, or 400 if it has none. */
export function respondFlagResult(
  request: EvaluateRequest,
  { text, failure }: FlagResult,
  metadata: string,
  allowance: Allowance,
): Response {
  const headers = allowanceHeaders(allowance)
  if (failure !== undefined)
    return respondError(request, "badRequest", headers, failure.errorCode, failure.errorDetails)
  const all = withField(text, "metadata", metadata)
  return respond(request.event, ok, all, [
    ...contentHeaders(Buffer.byteLength(all)),
    ...neverCache,
    ...headers,
  ])
}

/** Adds a field to the JSON of an object that has some. */
function withField(object: string, name: string, value: string): string {
  return `${object.slice(0, -1)},"${name}":${value}}`
}

/**
 * 200 with all flags, or 304 if the client already has them. Without event streams the answer has nothing but the
 * flags, because clients in Kotlin refuse it. `metadata` is not repeated in each flag: OpenFeature's provider for
 * browsers would take every flag of a new document for a changed one. The tag covers the whole answer, not only the flags:
 * clients send their old tag even with a different context, and use the event address in the answer that they have. `*`
 * would match any answer, so it does not count.
 */
export function respondAll(
  { event }: EvaluateRequest,
  flags: string,
  metadata: string,
  eventStreams: string | undefined,
  allowance: Allowance,
): Response {
  const text =
    eventStreams === undefined
      ? flags
      : withField(withField(flags, "metadata", metadata), "eventStreams", eventStreams)
  const etag = `"${hash("sha256", text, "hex").slice(0, 32)}"`
  const headers: HeaderPairs = [["etag", etag], ...neverCache, ...allowanceHeaders(allowance)]
  const has = event.req.headers.get("if-none-match")
  return has !== "*" && matchesETag(has, etag)
    ? respond(event, notModified, null, headers)
    : respond(event, ok, text, [...contentHeaders(Buffer.byteLength(text)), ...headers])
}

/**
 * The answer for an error: `errorCode` is one of OpenFeature's, `errorDetails` what the client did wrong. The body has
 * the members of OFREP and of `/v1/flags`. Each client needs a JSON object, for every status; 404 is for a flag that is
 * not in the project, and for nothing else.
 */
export function respondError(
  { event, key }: EvaluateRequest,
  name: keyof typeof httpErrors,
  headers: HeaderPairs = [],
  errorCode = "GENERAL",
  errorDetails: string = httpErrors[name].error,
): Response {
  const error = httpErrors[name]
  const text = JSON.stringify({ error: error.error, key, errorCode, errorDetails })
  const all = [...contentHeaders(Buffer.byteLength(text)), ...neverCache, ...headers]
  return respond(event, error, text, all)
}
