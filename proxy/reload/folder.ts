import { constants } from "node:fs"
import { open, stat } from "node:fs/promises"
import { join } from "node:path"
import { digest } from "./digest.ts"
import { allocateDocument } from "./document-memory.ts"
import { broken, good, unavailable } from "./fault.ts"
import type { SourceFolder } from "./source.ts"

/** A local folder. `fixOf` returns how to provide a file that is bad or, with a system error's code, cannot be read. */
export function createFolder(
  folder: string,
  fixOf: (file: string, code?: string) => string,
  readBytes = readFile,
): SourceFolder {
  return {
    location: folder,
    async read(file, limit, _, known) {
      try {
        const bytes = await readBytes(join(folder, file), limit)
        return good(known?.equals(bytes) ? known : bytes) // equal bytes are kept in memory once
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException
        if (error instanceof RangeError) return unavailable(`no memory for ${join(folder, file)}`)
        if (code === undefined) return broken(`${file} ${message}: ${fixOf(file)}`)
        if (code === "ENOENT") return unavailable(`there is no ${join(folder, file)}: ${fixOf(file, code)}`)
        const fix = fixes.get(code) ?? fixOf(file, code)
        return unavailable(`cannot read ${join(folder, file)} (${code}): ${fix}`)
      }
    },
    // A check is cheap, so a first file that cannot be read also counts as a version, and the next check may find a
    // different one.
    async version(first, others) {
      const content = first.kind === "good" ? await digest(first.value) : first.message
      return good(
        [content, ...(await Promise.all(others.map((file) => stampOf(join(folder, file)))))].join(" "),
      )
    },
  }
}

const fixes: ReadonlyMap<string, string> = new Map([
  ["EACCES", "let the proxy's user read it"],
  ["EMFILE", "allow the proxy more open files (`ulimit -n`, `LimitNOFILE`)"],
])

/**
 * Mtime, ctime, size and inode, because a rename within the clock's resolution keeps the times, and `chmod` changes
 * only ctime; the error's code if the file is missing or not accessible.
 */
async function stampOf(path: string): Promise<string> {
  return stat(path, { bigint: true }).then(
    ({ mtimeNs, ctimeNs, size, ino }) => `${mtimeNs}-${ctimeNs}-${size}-${ino}`,
    ({ code }: NodeJS.ErrnoException) => code ?? "unreadable",
  )
}

/**
 * Reads a whole file of at most `limit` bytes into its own memory. Rejects as `open` and `read` do, and with an error
 * without a code if the file is longer or not regular. A pipe is opened without waiting for a writer: otherwise it
 * would block a pool thread until there is one.
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
