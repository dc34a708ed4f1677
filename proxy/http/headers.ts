import type { Encoding } from "./accept-encoding.ts"

/** Names and values, alternating, with names in lower case: the cheapest form to send. */
export type RawHeaders = readonly string[]

/** The headers of a 200, shared by all responses with the variant. */
export function okHeaders(etag: string, encoding: Encoding, length: number): RawHeaders {
  const headers = [...contentHeaders(length), ...notModifiedHeaders(etag)]
  return encoding === "identity" ? headers : [...headers, "content-encoding", encoding]
}

/** The same headers about caching as on a 200 (RFC 9110, 15.4.5). Never `public`: one URL has a document for each key. */
export function notModifiedHeaders(etag: string): RawHeaders {
  return ["etag", etag, "cache-control", "private, no-cache", "vary", "Authorization, Accept-Encoding"]
}

/** The headers of every body. */
export function contentHeaders(length: number): RawHeaders {
  return ["content-type", "application/json", "content-length", String(length)]
}
