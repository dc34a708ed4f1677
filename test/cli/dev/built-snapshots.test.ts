import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { createBuiltSnapshots } from "../../../cli/dev/built-snapshots.ts"

test("a poll sees what was there at the last reload, whatever has been built since", async () => {
  const folder = mkdtempSync(join(tmpdir(), "flagstone-built-"))
  const source = createBuiltSnapshots(folder)
  const { signal } = new AbortController()
  const poll = { isForced: false, signal }
  const before = await source.version(poll)
  writeFileSync(join(folder, "manifest.json"), "{}")
  expect(await source.version(poll)).toEqual(before)
  const after = await source.version({ isForced: true, signal })
  expect(after).not.toEqual(before)
  expect(await source.version(poll)).toEqual(after)
})
