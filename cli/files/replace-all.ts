import { copyFile, link, rename, rm, stat } from "node:fs/promises"
import { join } from "node:path"

/**
 * Moves files from one folder into another on the same file system, in order. If one cannot be moved, the files that were
 * replaced before it are restored, and the error is thrown. The old files stay in `from` as `<name>.old`.
 */
export async function replaceAll(names: readonly string[], from: string, into: string): Promise<void> {
  const moved: string[] = []
  try {
    for (const name of names) {
      await keepOld(join(into, name), join(from, `${name}.old`))
      await rename(join(from, name), join(into, name))
      moved.push(name)
    }
  } catch (cause) {
    for (const name of moved.toReversed()) await putBack(join(from, `${name}.old`), join(into, name))
    throw cause
  }
}

async function keepOld(path: string, old: string): Promise<void> {
  if (!(await exists(path))) return
  await link(path, old).catch(() => copyFile(path, old)) // not every file system has links
}

async function putBack(old: string, path: string): Promise<void> {
  if (await exists(old)) await rename(old, path)
  else await rm(path, { force: true })
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
