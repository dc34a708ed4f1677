import { constants } from "node:fs"
import { open } from "node:fs/promises"
import { allocateDocument } from "../prepare/document-memory.ts"

/**
 * A whole file of at most `limit` bytes, in memory of its own from the first byte on. Rejects as `open` and `read` do, and
 * with an error without a code where it is longer or not a regular file. A pipe is opened without waiting for a writer:
 * else it would hold a thread of the pool until somebody writes to it.
 */
export async function readFile(path: string, limit: number): Promise<Buffer> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stats = await file.stat()
    if (!stats.isFile()) throw new Error("is not a regular file")
    if (stats.size > limit) throw new Error(`is longer than ${limit} bytes`)
    const bytes = allocateDocument(stats.size)
    let length = 0
    while (length < stats.size) {
      const { bytesRead } = await file.read(bytes, length, stats.size - length, length)
      if (bytesRead === 0) break
      length += bytesRead
    }
    return bytes.subarray(0, length)
  } finally {
    await file.close()
  }
}
