import { mkdtemp, readdir, rm, rmdir, stat } from "node:fs/promises"
import { join } from "node:path"

/** Milliseconds: no write takes this long, so older files were left by a process that was killed. */
const abandonedAfter = 3_600_000

/** Removes the files and folders whose names begin with `prefix` and that have not been written for an hour. */
export async function removeAbandoned(folder: string, prefix: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(prefix))
  if (names.length === 0) return
  const now = await fileSystemNow(folder)
  for (const name of names) {
    const found = await stat(join(folder, name)).catch(() => undefined) // another process was faster
    if (found !== undefined && now - found.mtimeMs > abandonedAfter)
      await rm(join(folder, name), { recursive: true, force: true })
  }
}

/** The time by the file system's own clock: a network share's may differ from this machine's. */
async function fileSystemNow(folder: string): Promise<number> {
  const probe = await mkdtemp(join(folder, ".flagstone-"))
  try {
    return (await stat(probe)).mtimeMs
  } finally {
    await rmdir(probe)
  }
}
