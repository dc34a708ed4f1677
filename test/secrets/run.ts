import { mkdirSync, mkdtempSync } from "node:fs"
import { rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { rolldown } from "rolldown"
import { folderVariable } from "./record.ts"
import { findLeaks, readEntries } from "./search.ts"

/**
 * Before a test run: creates a folder for everything that it leaves on the disk; every process of it records secrets and
 * outputs. After it: removes the folder, and fails the run if an output contains a secret.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), "flagstone-run-"))
  const records = join(folder, "records")
  const temporary = join(folder, "tmp")
  mkdirSync(records)
  mkdirSync(temporary)
  process.env[folderVariable] = records
  process.env.TMPDIR = temporary
  // As one CommonJS file it takes each of hundreds of processes 5 ms of CPU; as TypeScript, or as modules, 80 to 100.
  const file = join(folder, "watch.cjs")
  const watch = await rolldown({ input: join(import.meta.dirname, "watch.ts"), platform: "node" })
  await watch.write({ file, format: "cjs" })
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ""} --require=${JSON.stringify(file)}`.trimStart()
  return async () => {
    const leaks = findLeaks(readEntries(records))
    // Not rmSync: after the slow half there are 130,000 files, and vitest hears of the end of its workers meanwhile.
    // Retries, because a process that is just ending may still write.
    await rm(folder, { recursive: true, maxRetries: 20 })
    if (leaks.length > 0) throw new Error(`Secrets lie where nobody may find them:\n${leaks.join("\n")}`)
  }
}
