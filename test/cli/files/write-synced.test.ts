import { mkdtempSync, readdirSync, readFileSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { beforeEach, expect, test } from "vitest"
import { writeSynced } from "../../../cli/files/write-synced.ts"

let folder = ""
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "flagstone-synced-"))
})

test("a file has its mode from the beginning: no one can open it before its secret is written", async () => {
  let mode = 0
  const prepare = async (file: { stat(): Promise<{ mode: number }> }) => {
    mode = (await file.stat()).mode & 0o777
  }
  await writeSynced(join(folder, "secret"), "x", { mode: 0o600, prepare })
  expect(mode.toString(8)).toBe("600")
  expect(readFileSync(join(folder, "secret"), "utf8")).toBe("x")
})

test("a file that cannot be written is removed; a link in its place is not", async () => {
  const prepare = () => Promise.reject(new Error("no space"))
  await expect(writeSynced(join(folder, "a"), "x", { prepare })).rejects.toThrow("no space")
  symlinkSync("a", join(folder, "b"))
  await expect(writeSynced(join(folder, "b"), "x")).rejects.toThrow("EEXIST")
  expect(readdirSync(folder)).toEqual(["b"])
})
