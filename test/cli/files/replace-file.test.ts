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

const timeouts = { attempts: 2, pause: 1 }

test("another run's temporary file is in the way, and is kept", async () => {
  writeFileSync(path, "one")
  writeFileSync(join(folder, ".a.yaml.new"), "theirs")
  await expect(replaceFile(path, "two", { timeouts })).rejects.toThrow(Failure)
  expect(readFileSync(path, "utf8")).toBe("one")
  expect(readFileSync(join(folder, ".a.yaml.new"), "utf8")).toBe("theirs")
})

test("runs that replace the same file at once wait for each other", async () => {
  const texts = Array.from({ length: 8 }, (_, index) => `${index}`)
  await Promise.all(texts.map((text) => replaceFile(path, text, { timeouts: { attempts: 2_000, pause: 1 } })))
  expect(texts).toContain(readFileSync(path, "utf8"))
  expect(readdirSync(folder)).toEqual(["a.yaml"])
})

test("one that a run left that was killed eleven seconds ago is not", async () => {
  const killed = Date.now() / 1000 - 11
  writeFileSync(join(folder, ".a.yaml.new"), "theirs")
  utimesSync(join(folder, ".a.yaml.new"), killed, killed)
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
