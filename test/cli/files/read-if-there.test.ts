import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { readIfThere } from "../../../cli/files/read-if-there.ts"
import { topOfRepository } from "../../../cli/files/top-of-repository.ts"

const folder = mkdtempSync(join(tmpdir(), "flagstone-read-"))
writeFileSync(join(folder, "a"), "x")

test("a file's bytes are read; what is not there, or below a file, is absent; a folder is an error", async () => {
  expect(`${await readIfThere(join(folder, "a"))}`).toBe("x")
  expect(await readIfThere(join(folder, "b"))).toBeUndefined()
  expect(await readIfThere(join(folder, "a/b"))).toBeUndefined()
  await expect(readIfThere(folder)).rejects.toThrow(
    `EISDIR: illegal operation on a directory, read '${folder}'`,
  )
})

test("the top of a repository is the nearest folder with .git", () => {
  const top = join(folder, "outer/inner")
  mkdirSync(join(top, "flags/team"), { recursive: true })
  expect(topOfRepository(join(top, "flags/team"))).toBeUndefined()
  mkdirSync(join(folder, "outer/.git"))
  expect(topOfRepository(join(top, "flags/team"))).toBe(join(folder, "outer"))
  writeFileSync(join(top, ".git"), "gitdir: elsewhere\n")
  expect(topOfRepository(join(top, "flags/team"))).toBe(top)
  expect(topOfRepository(top)).toBe(top)
})
