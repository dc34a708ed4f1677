import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"

/** A look at a folder again and again. */
export interface Watch {
  /** Begins to call `onChange` when something has changed since the watch was made or it was called last. */
  start(onChange: () => Promise<void>): void
  stop(): void
}

/**
 * Watches everything below a folder, every `interval` milliseconds. It polls: events of file systems get lost in
 * containers, on network shares and when editors write by renaming.
 */
export function watchFolder(folder: string, interval: number): Watch {
  let seen = fingerprint(folder)
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  async function look(onChange: () => Promise<void>) {
    const found = fingerprint(folder)
    if (found !== seen) {
      seen = found
      await onChange()
    }
    if (!stopped) timer = setTimeout(look, interval, onChange)
  }
  return {
    start(onChange) {
      timer = setTimeout(look, interval, onChange)
    },
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}

/** Another text whenever a file that may matter came, went or was written. A folder that cannot be read has one, too. */
export function fingerprint(folder: string): string {
  const lines: string[] = []
  const visit = (directory: string) => {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      if (entry.name === ".git") continue // a flags folder may be the top of a repository; a build writes there
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
