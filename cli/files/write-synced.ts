import { fsync } from "node:fs"
import { type FileHandle, open, rm } from "node:fs/promises"

// Every promise that a file survives a crash of the machine rests on these two functions: only they call fsync.

/** Yarn's Plug'n'Play replaces file handles with its own, which have no `sync`. */
const sync = (file: FileHandle): Promise<void> =>
  new Promise((resolve, reject) => fsync(file.fd, (error) => (error === null ? resolve() : reject(error))))

/** How a file is created. */
export interface CreateOptions {
  /** The mode that it has from the beginning, less what the process's umask forbids; by default 0o666. */
  readonly mode?: number | undefined
  /** May set the empty file's mode and owner. */
  readonly prepare?: ((file: FileHandle) => Promise<void>) | undefined
}

/**
 * Creates a file, which must not exist, and resolves when its bytes are on the disk. The flag "wx" keeps it from writing to
 * another run's file, or to a link that an attacker put there. Throws, and leaves no file, if it cannot be written.
 */
export async function writeSynced(
  path: string,
  content: string | Uint8Array,
  { mode, prepare }: CreateOptions = {},
): Promise<void> {
  const file = await open(path, "wx", mode)
  try {
    await prepare?.(file)
    await file.writeFile(content)
    await sync(file)
  } catch (cause) {
    await rm(path, { force: true })
    throw cause
  } finally {
    await file.close()
  }
}

/**
 * Resolves when the names in a folder are on the disk: without it, a crash can undo a rename. Not every file system can
 * (EINVAL), and Windows never (EPERM).
 */
export async function syncFolder(folder: string): Promise<void> {
  const directory = await open(folder, "r")
  try {
    await sync(directory)
  } catch (error) {
    if (!cannotSync.has((error as NodeJS.ErrnoException).code)) throw error
  } finally {
    await directory.close()
  }
}

const cannotSync: ReadonlySet<string | undefined> = new Set(["EINVAL", "EPERM"])
