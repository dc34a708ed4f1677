import { hash } from "node:crypto"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import type { Encoding } from "../http/accept-encoding.ts"
import { type HeaderPairs, notModifiedPairs, okPairs } from "../respond.ts"

/** One representation of a document: bytes and headers that any number of responses share. */
export interface Variant {
  readonly body: Buffer
  /** Strong, RFC 9110 8.8.3. */
  readonly etag: string
  readonly okPairs: HeaderPairs
  readonly notModifiedPairs: HeaderPairs
}

/** A body in every coding that is worth sending, ready before the first request asks for it. */
export interface PreparedDocument {
  readonly identity: Variant
  /** `undefined` where the document is too small, or the coding makes it no smaller. */
  readonly gzip: Variant | undefined
  readonly br: Variant | undefined
}

/** Below this many bytes a packet is a packet, compressed or not. */
const worthCompressing = 1024

/**
 * Compresses outside the request path and off the thread that answers. The tags come from the identity bytes, so that
 * every proxy with the same build gives the same ones, whichever zlib it has.
 */
export async function prepareDocument(body: Buffer): Promise<PreparedDocument> {
  const tag = hash("sha256", body, "hex").slice(0, 32)
  const identity = createVariant(body, "identity", tag)
  if (body.length < worthCompressing) return { identity, gzip: undefined, br: undefined }
  const [gzipped, brotlied] = await Promise.all([
    gzipAsync(body, gzipOptions),
    brotliAsync(body, brotliOptions),
  ])
  return {
    identity,
    gzip: gzipped.length < body.length ? createVariant(gzipped, "gzip", tag) : undefined,
    br: brotlied.length < body.length ? createVariant(brotlied, "br", tag) : undefined,
  }
}

function createVariant(body: Buffer, encoding: Encoding, tag: string): Variant {
  const etag = encoding === "identity" ? `"${tag}"` : `"${tag}-${encoding}"`
  return {
    body,
    etag,
    okPairs: okPairs(etag, encoding, body.length),
    notModifiedPairs: notModifiedPairs(etag),
  }
}

const gzipAsync = promisify(gzip)
const brotliAsync = promisify(brotliCompress)
const gzipOptions = { level: 6 }
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }
