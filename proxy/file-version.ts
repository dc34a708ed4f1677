import { stat } from "node:fs/promises"

/**
 * Another text whenever the file at `path` may have changed: by mtime, size and inode, because a rename within the
 * clock's resolution keeps the first two. A file that is not there, or not ours to see, has a version too.
 */
export async function fileVersion(path: string): Promise<string> {
  try {
    const { mtimeNs, size, ino } = await stat(path, { bigint: true })
    return `${mtimeNs}-${size}-${ino}`
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? "unreadable"
  }
}
