import { stat } from "node:fs/promises"

/**
 * Another text whenever the file at `path`, or the right to read it, may have changed: by mtime, ctime, size and inode,
 * because a rename within the clock's resolution keeps the times, and `chmod` moves ctime alone. A file that is not
 * there, or not ours to see, has a version too.
 */
export async function fileVersion(path: string): Promise<string> {
  try {
    const { mtimeNs, ctimeNs, size, ino } = await stat(path, { bigint: true })
    return `${mtimeNs}-${ctimeNs}-${size}-${ino}`
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? "unreadable"
  }
}
