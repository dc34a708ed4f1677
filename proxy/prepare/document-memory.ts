import { open, stat } from "node:fs/promises"

/**
 * Memory for a document. What could be resized is mapped on its own, and goes back to the system when it is collected;
 * of what malloc gives, glibc keeps a hole of that size for each generation. Not of small ones, which V8 reads faster so.
 */
export function allocateDocument(length: number): Buffer<ArrayBuffer> {
  if (length < worthMapping) return Buffer.alloc(length)
  return Buffer.from(new ArrayBuffer(length, { maxByteLength: length }), 0, length)
}

/** Bytes: the threshold that glibc starts with. */
const worthMapping = 128 * 1024

/**
 * A whole file of at most `limit` bytes, in memory of its own from the first byte on. Rejects as `stat`, `open` and `read`
 * do, and with an error without a code where it is longer, or no file: a pipe would hold us for ever.
 */
export async function readDocumentFile(path: string, limit: number): Promise<Buffer> {
  if (!(await stat(path)).isFile()) throw new Error("is no file")
  const file = await open(path)
  try {
    const { size } = await file.stat()
    if (size > limit) throw new Error(`is longer than ${limit} bytes`)
    const bytes = allocateDocument(size)
    let length = 0
    while (length < size) {
      const { bytesRead } = await file.read(bytes, length, size - length, length)
      if (bytesRead === 0) break
      length += bytesRead
    }
    return bytes.subarray(0, length)
  } finally {
    await file.close()
  }
}
