import { brotliCompressSync, constants, gzipSync } from "node:zlib"

/** A body in the codings that are worth sending; `undefined` where it is too small, or becomes no smaller. */
export interface Compressed {
  readonly gzip: Uint8Array | undefined
  readonly br: Uint8Array | undefined
}

/** Holds its thread: 0.3 s for 10 MB. Copies, because zlib's results lie in blocks that are mostly empty. */
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

/** Below this many bytes a packet is a packet, compressed or not. */
const worthCompressing = 1024

/** 256 KB, the power of 2. What 4 MB would save is 1 % of a document, and what they take stays with the allocator. */
const window = 18

const nothing: Compressed = { gzip: undefined, br: undefined }
