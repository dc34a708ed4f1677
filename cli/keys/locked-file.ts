import { type FileHandle, open, realpath, rename, rm, stat } from "node:fs/promises"
import { setTimeout as wait } from "node:timers/promises"
import { Failure } from "../failure.ts"

/** How often a taken lock is tried again, and the milliseconds between. */
export interface Patience {
  readonly attempts: number
  readonly pause: number
}

const fiveSeconds: Patience = { attempts: 100, pause: 50 }

/**
 * Runs `use` while no other process that calls this can change the file at `path`. `replace` gives the file a new text,
 * whole or not at all, and may be called once. As in git, the lock is the file that takes the old one's place, so the
 * end of the lock and the change are one moment. A symbolic link is followed.
 * Throws a `Failure` when the lock stays taken beyond `patience`, five seconds by default, or the folder cannot be written to.
 */
export async function withLockedFile<T>(
  path: string,
  use: (replace: (text: string) => Promise<void>) => Promise<T>,
  patience: Patience = fiveSeconds,
): Promise<T> {
  const target = await realpath(path).catch(() => path)
  const lock = `${target}.lock`
  const handle = await openLock(lock, patience)
  let isReplaced = false
  const replace = async (text: string) => {
    try {
      await keepAccess(target, handle)
      await handle.writeFile(text)
      await handle.sync()
      await handle.close()
      await rename(lock, target)
      isReplaced = true
    } catch (cause) {
      throw new Failure(`${target} cannot be written and is as before: ${(cause as Error).message}`, {
        cause,
      })
    }
  }
  try {
    return await use(replace)
  } finally {
    await handle.close()
    if (!isReplaced) await rm(lock, { force: true }) // once replaced, a file of that name is someone else's lock
  }
}

async function openLock(lock: string, patience: Patience): Promise<FileHandle> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await open(lock, "wx", 0o600)
    } catch (cause) {
      const { code, message } = cause as NodeJS.ErrnoException
      if (code === "ENOENT") throw new Failure(`${lock} has no folder to be in; make it first`, { cause })
      if (code !== "EEXIST") throw new Failure(`${lock} cannot be written: ${message}`, { cause })
      if (attempt === patience.attempts) {
        throw new Failure(
          `${lock} is in the way: another command is changing the file, or was cut off; ` +
            "when none is running, remove that file and try again",
          { cause },
        )
      }
      await wait(patience.pause)
    }
  }
}

/** Gives the new file the mode and owner of the old one: the proxy may run as somebody else than who edits its keys. */
async function keepAccess(target: string, handle: FileHandle): Promise<void> {
  const [before, after] = await Promise.all([stat(target).catch(() => undefined), handle.stat()])
  if (before === undefined) return
  if (before.uid !== after.uid || before.gid !== after.gid) await handle.chown(before.uid, before.gid)
  await handle.chmod(before.mode & 0o777)
}
