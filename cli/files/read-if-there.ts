import { constants } from "node:fs"
import { readFile } from "node:fs/promises"

/**
 * A file's bytes; `undefined` if it does not exist. Throws if it cannot be read. A FIFO reads as empty, without waiting for
 * its writer.
 */
export async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path, { flag: constants.O_RDONLY | constants.O_NONBLOCK })
  } catch (error) {
    if (isAbsence(error)) return undefined
    const { code, message } = error as NodeJS.ErrnoException
    // Node names the path in each of its errors but this one.
    if (code !== "EISDIR") throw error
    throw Object.assign(new Error(`${message} '${path}'`, { cause: error }), { code })
  }
}

/** Whether an error means that a path does not exist. */
export function isAbsence(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === "ENOENT" || code === "ENOTDIR"
}
