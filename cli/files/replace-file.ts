import { randomUUID } from "node:crypto"
import { type FileHandle, rename, rm, stat } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { writeSynced } from "./write-synced.ts"

/** How a file is replaced. */
export interface ReplaceOptions {
  /**
   * Where the bytes are written first, on the same file system. By default next to the file, under a name that no other run
   * uses, and that readers of the flags folder ignore.
   */
  readonly temporary?: string
  /** Whether the new file must belong to the old one's owner. Otherwise it belongs to the user who runs this. */
  readonly keepsOwner?: boolean
  /** The mode of a file that did not exist; by default what the process's umask allows. */
  readonly mode?: number
  /** Called when only the rename is left to do; if it throws, the file stays as it is. */
  readonly beforeRename?: () => void
}

/**
 * Replaces a file's content as a whole or not at all, through a synced temporary file and a rename, and keeps its mode.
 * Creates the file if it does not exist. After a crash it is the old one or the new one: call `syncFolder` if it must
 * be the new one. Throws, with the file unchanged, if it cannot be replaced.
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
  {
    temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}.new`),
    keepsOwner = false,
    mode,
    beforeRename,
  }: ReplaceOptions = {},
): Promise<void> {
  const before = await stat(path).catch(() => undefined)
  const keepAccess = async (file: FileHandle): Promise<void> => {
    if (before === undefined) return
    if (keepsOwner) await file.chown(before.uid, before.gid)
    await file.chmod(before.mode & 0o777)
  }
  await writeSynced(temporary, content, { mode, prepare: keepAccess })
  try {
    beforeRename?.()
    await rename(temporary, path)
  } catch (cause) {
    await rm(temporary, { force: true })
    throw cause
  }
}
