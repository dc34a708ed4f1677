import { open, readdir, readFile, rename, rm, stat } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import type { World } from "./world.ts"

/** The file that keeps the last document. */
export interface CacheFile {
  /** `undefined`: there is none. Rejects if it cannot be read. */
  read(): Promise<string | undefined>
  /** Replaces the file as a whole or not at all, unless it already has this text. Rejects if it cannot be written. */
  write(text: string): Promise<void>
}

/** Only its owner may read it, because rules may contain users' addresses. */
export function createCacheFile(path: string, random: World["random"]): CacheFile {
  let written: string | undefined
  let isSwept = false
  return {
    async read() {
      written = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return undefined
        throw error
      })
      return written
    },
    async write(text) {
      if (text === written) return
      // Another process may write the same file, so each has its own name for an unfinished file.
      const temporary = `${path}.${random().toString(36).slice(2)}${partial}`
      const file = await open(temporary, "wx", 0o600)
      try {
        try {
          await file.writeFile(text)
          await file.sync()
          if (!isSwept) await sweep(path, (await file.stat()).mtimeMs).catch(() => undefined)
          isSwept = true
        } finally {
          await file.close()
        }
        await rename(temporary, path)
      } catch (error) {
        await rm(temporary, { force: true })
        throw error
      }
      written = text
    },
  }
}

/** The suffix of unfinished files. */
const partial = ".partial"

/** Removes unfinished files of processes that were killed while writing. `now` is the file system's time, in milliseconds. */
async function sweep(path: string, now: number): Promise<void> {
  const [folder, name] = [dirname(path), `${basename(path)}.`]
  for (const file of await readdir(folder)) {
    if (file.startsWith(name) && /^[0-9a-z]+\.partial$/.test(file.slice(name.length)))
      await removeOld(join(folder, file), now).catch(() => undefined) // another process may be removing it, too
  }
}

async function removeOld(path: string, now: number): Promise<void> {
  const { mtimeMs } = await stat(path)
  if (now - mtimeMs > longestWrite) await rm(path, { force: true })
}

/** Milliseconds. A write that takes longer is tried again with the next answer. */
const longestWrite = 60_000
