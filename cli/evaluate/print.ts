import { once } from "node:events"
import type { Writable } from "node:stream"

/** Writes a text, and waits while the stream is full. Resolves to `false` once nobody reads it: `flagstone … | head`. */
export type Print = (text: string) => Promise<boolean>

export function createPrint(stdout: Writable): Print {
  let isRead = true
  stdout.once("error", () => {
    isRead = false // the entry file decides what the error does
  })
  return async (text) => {
    if (isRead && !stdout.write(text)) await once(stdout, "drain").catch(() => undefined)
    return isRead
  }
}
