import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"

/**
 * Calls `onChange` when something below a folder has changed, and not again before it has finished. It polls: events
 * of file systems get lost in containers, on network shares and when editors write by renaming.
 * The returned function stops it.
 */
export function watchFolder(folder: string, interval: number, onChange: () => Promise<void>): () => void {
  let seen = fingerprint(folder)
  let timer = setTimeout(look, interval)
  let stopped = false
  async function look() {
    const found = fingerprint(folder)
    if (found !== seen) {
      seen = found
      await onChange()
    }
    if (!stopped) timer = setTimeout(look, interval)
  }
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}

/** Another text whenever a file came, went or was written. A folder that cannot be read has one, too. */
function fingerprint(folder: string): string {
  const lines: string[] = []
  const visit = (directory: string) => {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      const path = join(directory, entry.name)
      if (entry.isDirectory()) visit(path)
      else {
        const found = statSync(path, { throwIfNoEntry: false })
        lines.push(`${path}\0${found?.mtimeMs}\0${found?.size}\0${found?.ino}`)
      }
    }
  }
  try {
    visit(folder)
  } catch (error) {
    lines.push(String(error))
  }
  return lines.join("\n")
}
