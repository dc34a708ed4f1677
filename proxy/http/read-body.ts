import { Readable } from "node:stream"
import type { H3Event } from "h3"

/** A request's body. */
export type Body =
  /** It takes up room until `release` is called. */
  | { readonly kind: "whole"; readonly bytes: Buffer; readonly release: () => void }
  /** Longer than is allowed. */
  | { readonly kind: "too long" }
  /** It did not arrive in time. */
  | { readonly kind: "too slow" }
  /** There was no room for it, or it was dropped for others. */
  | { readonly kind: "no room" }
  /** The client went away before its end. */
  | { readonly kind: "cut" }

/** Reads a body; `announced` is its `Content-Length`, if it has one, and `block` the client's address block. Never rejects. */
export type ReadBody = (body: Readable, announced: string | null, block: string) => Promise<Body>

/** A request's body, without the web stream that srvx would put around Node's. */
export function bodyOf({ req, runtime }: H3Event): Readable {
  return runtime?.node?.req ?? Readable.from(req.body ?? [], { objectMode: false })
}

export interface BodyLimits {
  /** Bytes of one body. */
  readonly longest: number
  /** Bytes of all bodies that are arriving or in use. */
  readonly room: number
  /** Milliseconds until the last byte. */
  readonly time: number
}

/**
 * Address blocks share the room for bodies: thousands of clients that send all but the last byte must neither fill the
 * memory nor keep others out. If a block has used up its sixteenth, its oldest body that is still arriving is dropped;
 * if the whole room is full, the oldest of all. `monotonicNow` is in milliseconds.
 */
export function createBodyReader({ longest, room, time }: BodyLimits, monotonicNow: () => number): ReadBody {
  /** The oldest first. */
  const arriving = new Set<Arriving>()
  let isWatched = false
  const used = new Map<string, number>()
  let free = room

  function use(block: string, bytes: number): void {
    free -= bytes
    const sum = (used.get(block) ?? 0) + bytes
    if (sum === 0) used.delete(block)
    else used.set(block, sum)
  }

  /** Makes room for this many bytes of a block by dropping others; false if that is not possible. */
  function makeRoom(block: string, bytes: number): boolean {
    for (const one of arriving) {
      const isBlockFull = (used.get(block) ?? 0) + bytes > room / mostBlocks
      if (!isBlockFull && bytes <= free) return true
      if (!isBlockFull || one.block === block) one.end({ kind: "no room" })
    }
    return bytes <= free && (used.get(block) ?? 0) + bytes <= room / mostBlocks
  }

  /** One timer for all of them, because a timer for each takes as long as evaluating a flag. */
  function watch(): void {
    const [oldest] = arriving
    isWatched = oldest !== undefined
    if (oldest === undefined) return
    const giveUp = (): void => {
      for (const one of arriving) {
        if (one.until > monotonicNow()) break
        one.end({ kind: "too slow" })
      }
      watch()
    }
    setTimeout(giveUp, oldest.until - monotonicNow()).unref()
  }

  return (body, announced, block) =>
    new Promise((resolve) => {
      if (Number(announced) > longest) return resolve({ kind: "too long" })
      let bytes: Buffer = nothing
      let length = 0
      let isOver = false
      const release = (): void => use(block, -length)
      const own: Arriving = { block, until: monotonicNow() + time, end }
      arriving.add(own)
      if (!isWatched) watch()

      function end(result: Body): void {
        if (isOver) return
        isOver = true
        arriving.delete(own)
        if (result.kind !== "whole") release()
        resolve(result)
      }

      body.on("data", (chunk: Buffer) => {
        if (isOver) return
        const after = length + chunk.length
        if (after > longest) return end({ kind: "too long" })
        if (!makeRoom(block, chunk.length)) return end({ kind: "no room" })
        if (isOver) return // it was dropped itself
        bytes = length === 0 ? chunk : append(bytes, length, chunk)
        length = after
        use(block, chunk.length)
      })
      body.on("end", () => end({ kind: "whole", bytes: bytes.subarray(0, length), release }))
      body.on("close", () => end({ kind: "cut" }))
    })
}

interface Arriving {
  readonly block: string
  /** When it is given up. */
  readonly until: number
  readonly end: (result: Body) => void
}

/** An address block may use at most one part in this many of the room. */
const mostBlocks = 16

const nothing = Buffer.alloc(0)

/**
 * Appends a chunk to the first `length` bytes. A client that sends byte by byte makes one buffer grow instead of
 * creating many.
 */
function append(bytes: Buffer, length: number, chunk: Buffer): Buffer {
  const after = length + chunk.length
  const target = after <= bytes.length ? bytes : Buffer.allocUnsafeSlow(2 * after)
  if (target !== bytes) bytes.copy(target, 0, 0, length)
  chunk.copy(target, length)
  return target
}
