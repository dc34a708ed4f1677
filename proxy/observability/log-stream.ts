import type { Writable } from "node:stream"

/** What a logger writes to. */
export interface LogStream {
  write(line: string): void
  /** How many lines have been dropped so far. */
  dropped(): number
}

/**
 * Writes whole lines to `out`. Drops lines while `maxBacklog` bytes wait for the reader: if the reader stalls, requests
 * must not fill the memory.
 */
export function createLogStream(out: Writable): LogStream {
  let dropped = 0
  return {
    write(line) {
      if (out.writableLength + line.length > maxBacklog) dropped++
      else out.write(line)
    },
    dropped: () => dropped,
  }
}

/** In bytes; each line takes slightly more in memory. */
const maxBacklog = 512 * 1024
