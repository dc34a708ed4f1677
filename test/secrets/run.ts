import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { folderVariable } from "./record.ts"
import { findLeaks, readEntries } from "./search.ts"

/**
 * Before a test run: a folder for all that it leaves on the disk, and every process of it writes down secrets and
 * outputs. After it: nothing is left of the folder, and the run fails when an output holds a secret.
 */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "flagstone-run-"))
  const records = join(folder, "records")
  const temporary = join(folder, "tmp")
  mkdirSync(records)
  mkdirSync(temporary)
  process.env[folderVariable] = records
  process.env.TMPDIR = temporary
  const watch = `--import=${new URL("watch.ts", import.meta.url).href}`
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ""} ${watch}`.trimStart()
  return () => {
    const leaks = findLeaks(readEntries(records))
    rmSync(folder, { recursive: true, maxRetries: 5 }) // a server that is just ending may still write
    if (leaks.length > 0) throw new Error(`Secrets lie where nobody may find them:\n${leaks.join("\n")}`)
  }
}
