import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { fingerprint } from "../../cli/watch.ts"

test("a file that comes, changes or goes changes the fingerprint, at any depth; git's own folder does not", () => {
  const folder = mkdtempSync(join(tmpdir(), "flagstone-watch-"))
  for (const name of [".git", "team"]) mkdirSync(join(folder, name))
  const seen = [fingerprint(folder)]
  writeFileSync(join(folder, ".git", "index"), "a build remembers what it read there")
  expect(fingerprint(folder)).toBe(seen[0])

  const file = join(folder, "team", "sale.yaml")
  writeFileSync(file, "defaultValue: true\n")
  seen.push(fingerprint(folder))
  writeFileSync(file, "defaultValue: false\n")
  seen.push(fingerprint(folder))
  expect(new Set(seen).size).toBe(3)
  rmSync(file)
  expect(fingerprint(folder)).toBe(seen[0])
})

test("a folder that is not there has a fingerprint, too", () => {
  const folder = join(tmpdir(), "flagstone-no-such-folder")
  expect(fingerprint(folder)).toBe(fingerprint(folder))
})
