import type { Encoding } from "./accept-encoding.ts"

/** Names in lower case, and values: the cheapest form for srvx to send. */
export type HeaderPairs = readonly (readonly [name: string, value: string])[]

/** The headers of a 200, shared by all responses with the variant. */
export function okHeaders(etag: string, encoding: Encoding, length: number): HeaderPairs {
  const headers = [...contentHeaders(length), ...notModifiedHeaders(etag)]
  return encoding === "identity" ? headers : [...headers, ["content-encoding", encoding]]
}

/** The same headers about caching as on a 200 (RFC 9110, 15.4.5). Never `public`: one URL has a document for each key. */
export function notModifiedHeaders(etag: string): HeaderPairs {
  return [
    ["etag", etag],
    ["cache-control", "private, no-cache"],
    ["vary", "Authorization, Accept-Encoding"],
  ]
}

/** The headers of every body. */
export function contentHeaders(length: number): HeaderPairs {
  return [
    ["content-type", "application/json"],
    ["content-length", String(length)],
  ]
}

/** Errors and evaluations are never stored. */
export const neverCache: HeaderPairs = [["cache-control", "no-store"]]
