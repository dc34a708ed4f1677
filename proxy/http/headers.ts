import type { Encoding } from "./accept-encoding.ts"

/** Names and values in turn, names in lower case: the form that costs least to send. */
export type RawHeaders = readonly string[]

/** The headers of 200, shared by all responses with the variant. */
export function okHeaders(etag: string, encoding: Encoding, length: number): RawHeaders {
  const headers = [...contentHeaders(length), ...notModifiedHeaders(etag)]
  return encoding === "identity" ? headers : [...headers, "content-encoding", encoding]
}

/** RFC 9110, 15.4.5: what 200 would have said about caching. Never `public`: one URL has a document for each key. */
export function notModifiedHeaders(etag: string): RawHeaders {
  return ["etag", etag, "cache-control", "private, no-cache", "vary", "Authorization, Accept-Encoding"]
}

/** The headers of any body that is sent. */
export function contentHeaders(length: number): RawHeaders {
  return ["content-type", "application/json", "content-length", String(length)]
}
