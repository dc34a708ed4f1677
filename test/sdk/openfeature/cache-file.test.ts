// @module-tag system
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { expect, test } from "vitest"
import { canTrace, traceWrites } from "../../traced-writes.ts"

test.runIf(canTrace)("the cache file is synced before it takes its name", () => {
  const folder = mkdtempSync(join(tmpdir(), "flagstone-provider-"))
  const module = pathToFileURL(resolve(import.meta.dirname, "../../../sdk/openfeature/cache-file.ts"))
  const script = `
    const { createCacheFile } = await import(${JSON.stringify(module)})
    await createCacheFile("last.json", () => 0.5).write("{}")`
  const { status, renamed, unsynced } = traceWrites(["--input-type=module", "-e", script], folder, /last/)
  expect({ status, renamed: renamed.length, unsynced }).toEqual({ status: 0, renamed: 1, unsynced: [] })
})
