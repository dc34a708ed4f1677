import type { Readable } from "node:stream"

/** A request's body. */
export type Body =
  | { readonly kind: "whole"; readonly bytes: Buffer }
  /** Longer than is allowed; what came of it is not kept. */
  | { readonly kind: "too long" }
  /** The bodies that are arriving fill all the room that there is for them. */
  | { readonly kind: "no room" }
  /** The client went away before its end. */
  | { readonly kind: "cut" }

/** Reads a body; `announced` is its `Content-Length`, where there is one. Never rejects. */
export type ReadBody = (body: Readable, announced: string | undefined) => Promise<Body>

/**
 * Bodies of at most `longest` bytes. While they arrive they hold at most `room` bytes together: thousands of clients that
 * send all but the last byte must not fill the memory.
 */
export function createBodyReader(longest: number, room: number): ReadBody {
  let free = room
  return (body, announced) =>
    new Promise((resolve) => {
      if (Number(announced) > longest) return resolve({ kind: "too long" })
      let bytes: Buffer = nothing
      let length = 0
      let isOver = false

      function end(result: Body): void {
        if (isOver) return
        isOver = true
        free += length
        resolve(result)
      }

      body.on("data", (chunk: Buffer) => {
        if (isOver) return
        const after = length + chunk.length
        if (after > longest) return end({ kind: "too long" })
        if (chunk.length > free) return end({ kind: "no room" })
        bytes = length === 0 ? chunk : append(bytes, length, chunk)
        length = after
        free -= chunk.length
      })
      body.on("end", () => end({ kind: "whole", bytes: bytes.subarray(0, length) }))
      body.on("close", () => end({ kind: "cut" }))
    })
}

const nothing = Buffer.alloc(0)

/** The first `length` of `bytes` and then a chunk. A client that sends byte by byte makes one buffer grow, not many. */
function append(bytes: Buffer, length: number, chunk: Buffer): Buffer {
  const after = length + chunk.length
  const target = after <= bytes.length ? bytes : Buffer.allocUnsafeSlow(2 * after)
  if (target !== bytes) bytes.copy(target, 0, 0, length)
  chunk.copy(target, length)
  return target
}
