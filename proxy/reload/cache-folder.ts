import { randomUUID } from "node:crypto"
import { open, readdir, rename, rm, stat } from "node:fs/promises"
import { join } from "node:path"

// Shared by the caches of all sources. Several proxies may use one folder.

/** What a cache says before its first file. */
export const nothingCached = "nothing was cached yet"

/** Replaces a file: afterwards it has all of `bytes`; after a crash, either these or its previous bytes. */
export async function replaceFile(directory: string, file: string, bytes: Buffer): Promise<void> {
  const temporary = join(directory, `${file}.${randomUUID()}.tmp`)
  try {
    const handle = await open(temporary, "wx", 0o600)
    try {
      await handle.writeFile(bytes)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, join(directory, file))
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** Removes files older than `newest` that are not `kept`, and what a crash left half-written. */
export async function removeOld(directory: string, newest: string, kept: ReadonlySet<string>): Promise<void> {
  const { mtimeMs: now } = await stat(join(directory, newest))
  for (const file of await readdir(directory)) {
    if (kept.has(file) || !/\.(json|sig|tmp)$/.test(file)) continue
    const path = join(directory, file)
    if (!(await isOld(path))) continue
    // Another proxy may be replacing it: what is moved away shows which of the two it is, and a new one is put back.
    const aside = `${path}.${randomUUID()}.tmp`
    await rename(path, aside).catch(() => undefined)
    if (await isOld(aside)) await rm(aside, { force: true })
    else await rename(aside, path).catch(() => undefined)
  }

  /** False for a file that another proxy has removed. */
  async function isOld(path: string): Promise<boolean> {
    const made = await stat(path).catch(() => undefined)
    return made !== undefined && now - made.mtimeMs > settled
  }
}

/** Milliseconds after which even a slow disk has written all files: ten minutes. */
const settled = 600_000
