import { constants } from "node:fs"
import { readFile } from "node:fs/promises"

/**
 * A file's bytes; `undefined` if there is no such file. Throws if it cannot be read. A FIFO is empty: nothing waits for
 * its writer.
 */
export async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path, { flag: constants.O_RDONLY | constants.O_NONBLOCK })
  } catch (error) {
    if (isAbsence(error)) return undefined
    throw error
  }
}

/** Whether an error says that nothing lies at a path. */
export function isAbsence(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === "ENOENT" || code === "ENOTDIR"
}
