import { open, readFile, rename, rm } from "node:fs/promises"
import type { World } from "./world.ts"

/** Where the last document is kept. */
export interface CacheFile {
  /** `undefined`: there is none that can be read. */
  read(): Promise<string | undefined>
  /** Replaces the file whole or not at all; what is there already is left. Rejects where it cannot be written. */
  write(text: string): Promise<void>
}

/** Only its owner may read it: people's addresses may stand in rules. */
export function createCacheFile(path: string, random: World["random"]): CacheFile {
  let written: string | undefined
  return {
    async read() {
      written = await readFile(path, "utf8").catch(() => undefined)
      return written
    },
    async write(text) {
      if (text === written) return
      // Another process may keep the same file: each has a name of its own for what is not whole yet.
      const temporary = `${path}.${random().toString(36).slice(2)}`
      const file = await open(temporary, "wx", 0o600)
      try {
        try {
          await file.writeFile(text)
          await file.sync()
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
