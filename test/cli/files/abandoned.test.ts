import { mkdirSync, mkdtempSync, readdirSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { beforeEach, expect, test } from "vitest"
import { removeAbandoned } from "../../../cli/files/abandoned.ts"

let folder = ""
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "flagstone-abandoned-"))
})

/** Makes a file that was last written so many seconds ago. */
function write(name: string, secondsAgo: number): void {
  const path = join(folder, name)
  writeFileSync(path, "x")
  const at = Date.now() / 1000 - secondsAgo
  utimesSync(path, at, at)
}

test("only what begins with the prefix and is an hour old is removed, folders with what is in them", async () => {
  for (const name of ["mine-old", "other-old"]) write(name, 3_700)
  write("mine-young", 3_500)
  mkdirSync(join(folder, "mine-folder"))
  writeFileSync(join(folder, "mine-folder/file"), "x")
  const before = Date.now() / 1000 - 3_700
  utimesSync(join(folder, "mine-folder"), before, before)
  await removeAbandoned(folder, "mine-")
  expect(readdirSync(folder).toSorted()).toEqual(["mine-young", "other-old"])
})
