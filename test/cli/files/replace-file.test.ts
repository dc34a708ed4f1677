import {
  chmodSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { beforeEach, expect, test } from "vitest"
import { Failure } from "../../../cli/failure.ts"
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

test("another run's temporary file is in the way, and is kept", async () => {
  writeFileSync(path, "one")
  writeFileSync(join(folder, ".a.yaml.new"), "theirs")
  await expect(replaceFile(path, "two")).rejects.toThrow(Failure)
  expect(readFileSync(path, "utf8")).toBe("one")
  expect(readFileSync(join(folder, ".a.yaml.new"), "utf8")).toBe("theirs")
})

test("one that a killed run left an hour ago is not", async () => {
  writeFileSync(join(folder, ".a.yaml.new"), "theirs")
  utimesSync(join(folder, ".a.yaml.new"), 1, 1)
  await replaceFile(path, "two")
  expect(readdirSync(folder)).toEqual(["a.yaml"])
  expect(readFileSync(path, "utf8")).toBe("two")
})

test("a link in its place is not written through", async () => {
  writeFileSync(join(folder, "secret"), "theirs")
  symlinkSync("secret", join(folder, ".a.yaml.new"))
  await expect(replaceFile(path, "two")).rejects.toThrow("is in the way")
  expect(readFileSync(join(folder, "secret"), "utf8")).toBe("theirs")
})

test("a failed replacement leaves no temporary file", async () => {
  await expect(replaceFile(folder, "two")).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST|EBUSY/)
  expect(readdirSync(folder)).toEqual([])
  expect(readdirSync(join(folder, "..")).filter((name) => name.startsWith(".flagstone-replace"))).toEqual([])
})
