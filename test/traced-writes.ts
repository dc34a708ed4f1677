import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"

// A rename may reach the disk before the bytes do: without a sync before it, a crash leaves an empty file.
export const canTrace = spawnSync("strace", ["-o", "/dev/null", "true"]).status === 0
if (!canTrace) console.warn("SKIPPED: how files get their names, because strace is missing")

/** What a process did to the files that it replaced. Paths are absolute. */
export interface TracedWrites {
  readonly status: number | null
  /** The files that got their name by a rename. */
  readonly renamed: readonly string[]
  /** Those of them whose bytes were not synced before. */
  readonly unsynced: readonly string[]
  /** The folders in which a name was given and not synced afterwards. */
  readonly unsyncedFolders: readonly string[]
}

/** Runs Node with these arguments and traces what it does to the files whose paths match `written`. */
export function traceWrites(words: readonly string[], cwd: string, written: RegExp): TracedWrites {
  const log = join(mkdtempSync(join(tmpdir(), "flagstone-")), "strace")
  const calls = "trace=fsync,fdatasync,rename,renameat,renameat2"
  const { status } = spawnSync("strace", ["-f", "-y", "-e", calls, "-o", log, process.execPath, ...words], {
    cwd,
    timeout: 25_000,
  })
  const synced = new Set<string>()
  const renamed: string[] = []
  const unsynced: string[] = []
  const unsyncedFolders = new Set<string>()
  for (const line of readFileSync(log, "utf8").split("\n")) {
    const [, file] = /f(?:data)?sync\(\d+<([^>]*)>/.exec(line) ?? []
    if (file !== undefined) {
      synced.add(file)
      unsyncedFolders.delete(file)
    }
    const [, from, to] = /rename\w*\(.*?"([^"]*)".*?"([^"]*)"/.exec(line) ?? []
    if (from === undefined || to === undefined || !written.test(to)) continue
    renamed.push(resolve(cwd, to))
    if (!synced.has(resolve(cwd, from))) unsynced.push(resolve(cwd, to))
    unsyncedFolders.add(dirname(resolve(cwd, to)))
  }
  return { status, renamed, unsynced, unsyncedFolders: [...unsyncedFolders] }
}
