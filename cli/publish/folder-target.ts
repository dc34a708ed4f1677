import { hash, randomUUID } from "node:crypto"
import { mkdir, open, readdir, readFile, rename, rm, rmdir, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { withLockedFile } from "../keys/locked-file.ts"
import { isApiPath } from "./layout.ts"
import type { Condition, PublishTarget, StoredFile } from "./target.ts"

/**
 * A folder, for a web server to serve or to be copied. No folder can hold a file `flags` and a folder `flags`, so the
 * API's files have the ending `.json`, which the server adds to what is asked for. `name` is what the user calls it.
 */
export function createFolderTarget(folder: string, name: string): PublishTarget {
  const fileOf = (path: string) => join(folder, isApiPath(path) ? `${path}.json` : path)

  async function read(path: string): Promise<StoredFile | undefined> {
    try {
      const bytes = await readFile(fileOf(path))
      return { bytes, version: hash("sha256", bytes) }
    } catch (error) {
      if (isAbsence(error)) return undefined
      throw error
    }
  }

  /** Temporary files lie at the top, on the same file system, which a rename needs; a server shows no names with a dot. */
  async function replace(path: string, bytes: Uint8Array): Promise<void> {
    const file = fileOf(path)
    const temporary = join(folder, temporaryPrefix + randomUUID())
    await mkdir(dirname(file), { recursive: true })
    try {
      const handle = await open(temporary, "wx")
      try {
        await handle.writeFile(bytes)
        await handle.sync()
      } finally {
        await handle.close()
      }
      await rename(temporary, file).catch(async (error: NodeJS.ErrnoException) => {
        if (error.code !== "EISDIR") throw error
        await rmdir(file) // what is left of keys that began with this one; it stays when it is not empty
        await rename(temporary, file)
      })
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
    await syncFolder(dirname(file))
  }

  /** What publishers that were killed left behind: no write takes an hour. Both times are the file system's own. */
  async function removeLeftovers(written: string): Promise<void> {
    const { mtimeMs: now } = await stat(written)
    for (const name of await readdir(folder)) {
      if (!name.startsWith(temporaryPrefix)) continue
      const found = await stat(join(folder, name)).catch(() => undefined)
      if (found !== undefined && now - found.mtimeMs > hour) await rm(join(folder, name), { force: true })
    }
  }

  async function replaceIf(path: string, bytes: Uint8Array, { replaces }: Condition) {
    await mkdir(folder, { recursive: true })
    return withLockedFile(join(folder, ".publish"), async () => {
      if ((await read(path))?.version !== replaces?.version) return "lost"
      await replace(path, bytes)
      await removeLeftovers(fileOf(path))
      return "written"
    })
  }

  return {
    location: name,
    address: name,
    read,
    async write({ path, bytes }, condition) {
      if (condition !== undefined) return replaceIf(path, bytes, condition)
      await replace(path, bytes)
      return "written"
    },
    async remove(path) {
      await rm(fileOf(path), { force: true }).catch((error: unknown) => {
        if (!isAbsence(error)) throw error
      })
    },
    async close() {},
  }
}

const temporaryPrefix = ".publish-"
const hour = 3_600_000

function isAbsence(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === "ENOENT" || code === "ENOTDIR"
}

/** The rename itself survives a crash only when the folder is synced; not every file system can. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r")
  try {
    await handle.sync()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EINVAL") throw error
  } finally {
    await handle.close()
  }
}
