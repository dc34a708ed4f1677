import { hash, randomUUID } from "node:crypto"
import { mkdir, rm, rmdir } from "node:fs/promises"
import { dirname, join } from "node:path"
import { Failure } from "../failure.ts"
import { removeAbandoned } from "../files/abandoned.ts"
import { withLock } from "../files/lock.ts"
import { isAbsence, readIfThere } from "../files/read-if-there.ts"
import { replaceFile } from "../files/replace-file.ts"
import { syncFolder } from "../files/write-synced.ts"
import type { Host } from "../host.ts"
import { isApiPath } from "./layout.ts"
import type { Precondition, PublishTarget, StoredFile } from "./target.ts"

/**
 * A folder that a web server serves, or that is copied to one. A folder cannot hold both a file and a folder called
 * `flags`, so the API's files end in `.json`, which the server adds to the requested path. `name` is what the user
 * wrote.
 */
export function createFolderTarget(
  folder: string,
  name: string,
  host: Pick<Host, "pid" | "isRunning">,
): PublishTarget {
  const fileOf = (path: string) => join(folder, isApiPath(path) ? `${path}.json` : path)

  async function read(path: string): Promise<StoredFile | undefined> {
    const bytes = await readIfThere(fileOf(path)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "EISDIR") return undefined // it is a folder, not a file
      throw error
    })
    return bytes && { bytes, version: hash("sha256", bytes) }
  }

  /** Temporary files are at the top, on the same file system; servers do not show names that begin with a dot. */
  async function replace(path: string, bytes: Uint8Array): Promise<void> {
    await mkdir(dirname(fileOf(path)), { recursive: true })
    await rmdir(fileOf(path)).catch(() => undefined) // an empty folder, left by keys that began with this one
    await replaceFile(fileOf(path), bytes, { temporary: join(folder, temporaryPrefix + randomUUID()) })
    await syncFolder(dirname(fileOf(path)))
  }

  async function replaceIf(path: string, bytes: Uint8Array, { replaces }: Precondition) {
    if ((await read(path))?.version !== replaces?.version) return "lost"
    await replace(path, bytes)
    return "written"
  }

  async function replaceLocked(path: string, bytes: Uint8Array, condition: Precondition) {
    await mkdir(folder, { recursive: true })
    return withLock(join(folder, lockFile), host, async () => {
      await removeAbandoned(folder, temporaryPrefix)
      return replaceIf(path, bytes, condition)
    })
  }

  return {
    location: name,
    address: name,
    read,
    async write({ path, bytes }, condition) {
      // Several of the API's files are written at once, and would wait for one another.
      try {
        if (condition !== undefined)
          return await (isApiPath(path) ? replaceIf : replaceLocked)(path, bytes, condition)
        await replace(path, bytes)
        return "written"
      } catch (cause) {
        throw unwritten(fileOf(path), cause as Error)
      }
    },
    async remove(path) {
      await rm(fileOf(path), { force: true }).catch((error: unknown) => {
        if (!isAbsence(error)) throw error
      })
    },
    async close() {},
  }
}

/** A system call's error, with the file: those of a full disk name none, and others only a temporary file or a folder. */
function unwritten(path: string, cause: NodeJS.ErrnoException): Error {
  if (!("syscall" in cause)) return cause
  const isFile = cause.code === "EEXIST" || cause.code === "ENOTDIR"
  const why = isFile ? ", because a part of its path is a file" : ""
  return new Failure(`${path} cannot be written${why}: ${cause.message}`, { cause })
}

const lockFile = ".publish.lock"
const temporaryPrefix = ".publish-"
