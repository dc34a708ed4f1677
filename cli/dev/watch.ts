import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"

/** Watches a folder for changes. */
export interface Watch {
  /**
   * Starts calling `onChange` when something has changed since the watch was made or since the last call. May be called
   * again after `stop`.
   */
  start(onChange: () => Promise<void>): void
  stop(): void
}

/**
 * Watches everything below a folder, every `interval` milliseconds. It polls, because file system events get lost in
 * containers, on network shares and when editors save by renaming. Ignored files never count as a change.
 */
export function watchFolder(
  folder: string,
  interval: number,
  isIgnored: (name: string) => boolean = () => false,
): Watch {
  let last = fingerprint(folder, isIgnored)
  let stop = () => {}
  return {
    start(onChange) {
      let isStopped = false
      const poll = async () => {
        const current = fingerprint(folder, isIgnored)
        if (current !== last) {
          last = current
          await onChange()
        }
        if (!isStopped) timer = setTimeout(poll, interval)
      }
      let timer = setTimeout(poll, interval)
      stop = () => {
        isStopped = true
        clearTimeout(timer)
      }
    },
    stop: () => stop(),
  }
}

/** A string that changes whenever a file is added, removed or written. A folder that cannot be read also has one. */
function fingerprint(folder: string, isIgnored: (name: string) => boolean): string {
  const lines: string[] = []
  const visit = (directory: string) => {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      if (entry.name === ".git" || isIgnored(entry.name)) continue // builds write to git's folder
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
