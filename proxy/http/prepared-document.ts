import { versionOf } from "../../sdk/contract/flag-set.ts"
import type { Encoding } from "./accept-encoding.ts"
import type { Compressed } from "./compress.ts"
import { type HeaderPairs, notModifiedHeaders, okHeaders } from "./headers.ts"

/** One representation of a document, whose bytes and headers any number of responses share. */
export interface Variant {
  readonly body: Buffer
  /** Strong, RFC 9110 8.8.3. */
  readonly etag: string
  readonly okHeaders: HeaderPairs
  readonly notModifiedHeaders: HeaderPairs
}

/** A body in every coding that is worth sending, ready before a request asks for it. */
export interface PreparedDocument {
  readonly identity: Variant
  readonly gzip: Variant | undefined
  readonly br: Variant | undefined
}

/**
 * `sha256` is the digest of the identity bytes, in hex. Tags are made from it, so that every proxy with the same build
 * gives the same tags, whatever its zlib.
 */
export function createDocument(body: Buffer, sha256: string, compressed: Compressed): PreparedDocument {
  const tag = versionOf(sha256)
  return {
    identity: createVariant(body, "identity", tag),
    gzip: compressed.gzip && createVariant(toBuffer(compressed.gzip), "gzip", tag),
    br: compressed.br && createVariant(toBuffer(compressed.br), "br", tag),
  }
}

function createVariant(body: Buffer, encoding: Encoding, tag: string): Variant {
  const etag = encoding === "identity" ? `"${tag}"` : `"${tag}-${encoding}"`
  return {
    body,
    etag,
    okHeaders: okHeaders(etag, encoding, body.length),
    notModifiedHeaders: notModifiedHeaders(etag),
  }
}

/** Shares the memory: a `Buffer` from another thread arrives as a plain `Uint8Array`. */
function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
