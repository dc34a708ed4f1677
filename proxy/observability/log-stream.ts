import type { Writable } from "node:stream"

/** Where a logger writes to. */
export interface LogStream {
  write(line: string): void
  /** How many lines were dropped so far. */
  dropped(): number
}

/**
 * Writes whole lines to `out`, and drops them while its reader has not taken `maxBacklog` bytes: whoever can send requests
 * could else fill the memory of a proxy whose log reader stalls.
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

/** In bytes; each line costs some more in memory. */
const maxBacklog = 512 * 1024
