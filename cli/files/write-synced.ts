import { type FileHandle, open } from "node:fs/promises"

// Every promise that a file survives a crash of the machine rests on these two functions: only they call fsync.

/**
 * Creates a file, which must not exist, and resolves when its bytes are on the disk. The flag "wx" keeps it from writing to
 * another run's file, or to a link that an attacker put there. `prepare` may set the new file's mode and owner.
 */
export async function writeSynced(
  path: string,
  content: string | Uint8Array,
  prepare: (file: FileHandle) => Promise<void> = async () => {},
): Promise<void> {
  const file = await open(path, "wx")
  try {
    await prepare(file)
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Resolves when the names in a folder are on the disk: without it, a crash can undo a rename. Not every file system can. */
export async function syncFolder(folder: string): Promise<void> {
  const directory = await open(folder, "r")
  try {
    await directory.sync()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EINVAL") throw error
  } finally {
    await directory.close()
  }
}
