import {
  chmodSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { beforeEach, expect, test } from "vitest"
import { replaceFile } from "../../../cli/files/replace-file.ts"

let folder = ""
let path = ""
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "flagstone-replace-"))
  path = join(folder, "a.yaml")
})

test("makes a file, or replaces it with its mode, and leaves nothing else", async () => {
  await replaceFile(path, "one")
  chmodSync(path, 0o640)
  linkSync(path, join(folder, "who-reads-the-old-one"))
  await replaceFile(path, "two")
  expect(readFileSync(path, "utf8")).toBe("two")
  expect(readFileSync(join(folder, "who-reads-the-old-one"), "utf8")).toBe("one") // it was not written in place
  rmSync(join(folder, "who-reads-the-old-one"))
  expect((statSync(path).mode & 0o777).toString(8)).toBe("640")
  expect(readdirSync(folder)).toEqual(["a.yaml"])
})

test("runs that replace the same file at once are not in each other's way, nor is what a killed one left", async () => {
  writeFileSync(join(folder, ".a.yaml.new"), "theirs")
  const texts = Array.from({ length: 8 }, (_, index) => `${index}`)
  await Promise.all(texts.map((text) => replaceFile(path, text)))
  expect(texts).toContain(readFileSync(path, "utf8"))
  expect(readdirSync(folder)).toEqual([".a.yaml.new", "a.yaml"])
})

test("a link in place of the temporary file is not written through", async () => {
  writeFileSync(join(folder, "secret"), "theirs")
  const temporary = join(folder, "new")
  symlinkSync("secret", temporary)
  await expect(replaceFile(path, "two", { temporary })).rejects.toThrow("EEXIST")
  expect(readFileSync(join(folder, "secret"), "utf8")).toBe("theirs")
})

test("a failed replacement leaves no temporary file", async () => {
  await expect(replaceFile(folder, "two")).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST|EBUSY/)
  expect(readdirSync(folder)).toEqual([])
  expect(readdirSync(join(folder, "..")).filter((name) => name.startsWith(".flagstone-replace"))).toEqual([])
})
