import { randomUUID } from "node:crypto"
import { open, readdir, rename, rm, stat } from "node:fs/promises"
import { join } from "node:path"

// What the caches of all sources do in folders that several proxies may share.

/** Afterwards `file` has all of `bytes`; after a crash it may have what it had before. */
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
    const made = await stat(path).catch(() => undefined) // another proxy has removed it
    if (made !== undefined && now - made.mtimeMs > settled) await rm(path, { force: true })
  }
}

/** Milliseconds after which all files have been written, however slow the disk: ten minutes. */
const settled = 600_000
