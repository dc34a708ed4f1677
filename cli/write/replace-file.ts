import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"

/**
 * Gives a file a new text, whole or not at all, by a temporary file beside it and a rename; its mode stays.
 * Throws, with the file as it was, where that cannot be done.
 */
export function replaceFile(path: string, text: string): void {
  const mode = (statSync(path, { throwIfNoEntry: false })?.mode ?? 0o644) & 0o777
  const temporary = join(dirname(path), `.${basename(path)}.new`)
  // "wx": another run's temporary file, or a link that somebody laid there, is not written through.
  const file = openSync(temporary, "wx", mode)
  try {
    writeFileSync(file, text)
    fsyncSync(file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
  renameSync(temporary, path)
}
