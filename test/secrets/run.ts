import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { folderVariable } from "./record.ts"
import { findLeaks, readEntries } from "./search.ts"

/** Before a test run: has every process of it write down secrets and outputs. After it: fails when these meet. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "flagstone-secrets-"))
  process.env[folderVariable] = folder
  const watch = `--import=${new URL("watch.ts", import.meta.url).href}`
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ""} ${watch}`.trimStart()
  return () => {
    const leaks = findLeaks(readEntries(folder))
    rmSync(folder, { recursive: true })
    if (leaks.length > 0) throw new Error(`Secrets lie where nobody may find them:\n${leaks.join("\n")}`)
  }
}
