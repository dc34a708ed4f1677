import { brotliCompressSync, constants, gzipSync } from "node:zlib"

/**
 * A body in the codings that are worth sending; `undefined` if it is too small to compress or does not get smaller.
 */
export interface Compressed {
  readonly gzip: Uint8Array | undefined
  readonly br: Uint8Array | undefined
}

/** Blocks its thread for 0.3 s per 10 MB. Copies zlib's results, which are in blocks that are mostly empty. */
export function compress(body: Uint8Array): Compressed {
  if (body.length < worthCompressing) return nothing
  const gzip = gzipSync(body, { level: 6 })
  const br = brotliCompressSync(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 5,
      [constants.BROTLI_PARAM_LGWIN]: window,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  })
  return {
    gzip: gzip.length < body.length ? new Uint8Array(gzip) : undefined,
    br: br.length < body.length ? new Uint8Array(br) : undefined,
  }
}

/** In bytes: anything shorter fits into one packet, compressed or not. */
const worthCompressing = 1024

/** A power of 2: 256 KB. 4 MB would make documents 1 % smaller, but the allocator would keep that memory. */
const window = 18

const nothing: Compressed = { gzip: undefined, br: undefined }
