import { type FileHandle, lstat, rename, rm, stat } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { Failure } from "../failure.ts"
import { isAbandoned } from "./abandoned.ts"
import type { LockTimeouts } from "./lock.ts"
import { writeSynced } from "./write-synced.ts"

/** How a file is replaced. */
export interface ReplaceOptions {
  /** Where the bytes are written first, on the same file system. By default next to the file, for one run at a time. */
  readonly temporary?: string
  /** Whether the new file must belong to the old one's owner. Otherwise it belongs to the user who runs this. */
  readonly keepsOwner?: boolean
  /** The mode of a file that did not exist; by default what the process's umask allows. */
  readonly mode?: number
  /** How long to wait for another run that writes the same file; by default until what it left counts as abandoned. */
  readonly timeouts?: LockTimeouts
}

/** Milliseconds after which a temporary file was left by a killed run: writing one takes less. */
const abandonedAfter = 10_000
const untilAbandoned: LockTimeouts = { attempts: 120, pause: 100 }

/**
 * Replaces a file's content as a whole or not at all, through a synced temporary file and a rename, and keeps its mode.
 * Creates the file if it does not exist. After a crash it is the old one or the new one: call `syncFolder` if it must
 * be the new one. Throws, with the file unchanged, if it cannot be replaced: a `Failure` if another run is writing it.
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
  {
    temporary = join(dirname(path), `.${basename(path)}.new`),
    keepsOwner = false,
    mode,
    timeouts = untilAbandoned,
  }: ReplaceOptions = {},
): Promise<void> {
  const before = await stat(path).catch(() => undefined)
  const keepAccess = async (file: FileHandle): Promise<void> => {
    if (before === undefined) return
    if (keepsOwner) await file.chown(before.uid, before.gid)
    await file.chmod(before.mode & 0o777)
  }
  try {
    await waitFor(timeouts, temporary, () => writeSynced(temporary, content, { mode, prepare: keepAccess }))
    await rename(temporary, path)
  } catch (cause) {
    if (isInTheWay(cause)) throw inTheWay(temporary, cause)
    await rm(temporary, { force: true })
    throw cause
  }
}

/**
 * Tries to write while another run uses the temporary file's path, and removes what a killed one left there. A folder or a
 * link is not a run's.
 */
async function waitFor(
  { attempts, pause }: LockTimeouts,
  temporary: string,
  write: () => Promise<void>,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write()
    } catch (cause) {
      if (!isInTheWay(cause) || attempt >= attempts) throw cause
      const found = await lstat(temporary).catch(() => undefined) // the run has just ended
      if (found?.isFile() === false) throw cause
      if (await isAbandoned(temporary, abandonedAfter)) await rm(temporary, { force: true })
      else await wait(pause)
    }
  }
}

function isInTheWay(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "EEXIST"
}

function inTheWay(path: string, cause: unknown): Failure {
  const message = `${path} is in the way: another run is writing it or was interrupted; if none is running, remove that file`
  return new Failure(message, { cause })
}
