import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { basename, dirname, join } from "node:path"
import { Failure } from "../failure.ts"

/**
 * Gives a file a new text, whole or not at all, by a temporary file beside it and a rename; its mode stays.
 * Throws, with the file as it was, where that cannot be done: a `Failure` where another run is at it.
 */
export function replaceFile(path: string, text: string): void {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode
  const temporary = join(dirname(path), `.${basename(path)}.new`)
  const file = openNew(temporary)
  try {
    if (mode !== undefined) fchmodSync(file, mode & 0o777)
    writeFileSync(file, text)
    fsyncSync(file)
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
}

/** "wx": another run's temporary file, or a link that somebody laid there, is not written through. */
function openNew(path: string): number {
  try {
    return openSync(path, "wx")
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause
    const message = `${path} is in the way: another run is writing, or was cut off; when none is, remove that file`
    throw new Failure(message, { cause })
  }
}
