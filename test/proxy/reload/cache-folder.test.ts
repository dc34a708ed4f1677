// @module-tag system
// @module-tag slow
import { mkdtempSync } from "node:fs"
import { readFile, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import { expect, test } from "vitest"
import { removeOld, replaceFile } from "../../../proxy/reload/cache-folder.ts"

test("a file that another proxy replaces while it is removed for its age stays", async () => {
  const directory = mkdtempSync(join(tmpdir(), "flagstone-cache-"))
  const path = join(directory, "document.json")
  const hourAgo = new Date(Date.now() - 3_600_000)
  await writeFile(join(directory, "manifest.json"), "{}")
  /** Removes what is old, after some turns, so that the replacement is at each of its steps in one of the rounds. */
  const removeAfter = async (turns: number) => {
    for (let turn = 0; turn < turns; turn++) await setImmediate()
    await removeOld(directory, "manifest.json", new Set(["manifest.json"]))
  }
  for (let round = 0; round < 600; round++) {
    await writeFile(path, "old")
    await utimes(path, hourAgo, hourAgo)
    const removals = [0, 1, 2].map((at) => removeAfter((round % 60) + at))
    await Promise.all([replaceFile(directory, "document.json", Buffer.from("new")), ...removals])
    expect(await readFile(path, "utf8")).toBe("new")
  }
}, 60_000)
