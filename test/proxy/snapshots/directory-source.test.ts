import { mkdir, mkdtemp, rename, rm, stat, truncate, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { readDocumentFile } from "../../../proxy/prepare/document-memory.ts"
import {
  createDirectorySource,
  type DirectorySourceConfig,
} from "../../../proxy/snapshots/directory-source.ts"
import { describeSnapshotSource, serve, type TestStore } from "../../contracts/snapshot-source.ts"
import { buildFiles, shop } from "../fixtures.ts"

const directories: string[] = []
afterAll(() => Promise.all(directories.map((directory) => rm(directory, { recursive: true }))))

async function openDirectory(
  changes: Partial<DirectorySourceConfig> = {},
): Promise<TestStore & { readonly directory: string }> {
  const directory = await mkdtemp(join(tmpdir(), "flagstone-"))
  directories.push(directory)
  let now = 0
  return {
    directory,
    source: createDirectorySource({ directory, monotonicNow: () => now, random: () => 0, ...changes }),
    later: async () => {
      now += 300_000
    },
    put: (file, text) =>
      text === undefined ? rm(join(directory, file)) : writeFile(join(directory, file), text),
  }
}

describeSnapshotSource("a directory", openDirectory)

test("a directory that is not there", async () => {
  const { source } = await openDirectory({ directory: "/nowhere/dist" })
  await expect(source.look(false)).rejects.toThrow("no manifest.json in /nowhere/dist: run `flagstone build`")
  expect(await source.look(false)).toEqual({ kind: "waiting" })
})

test("a file replaced by one of the same size and time is looked at", async () => {
  const { directory, source, put } = await openDirectory()
  await put("manifest.json", "{}")
  const manifest = join(directory, "manifest.json")
  const { atime, mtime } = await stat(manifest)
  await expect(source.look(false)).rejects.toThrow("formatVersion")
  await put("manifest.json.new", "[]")
  await utimes(join(directory, "manifest.json.new"), atime, mtime)
  await rename(join(directory, "manifest.json.new"), manifest)
  await expect(source.look(false)).rejects.toThrow("not an object")
})

test("a document that the disk does not give is asked for again, though its file stays the same", async () => {
  let isBroken = true
  const { source, put, later } = await openDirectory({
    readWhole: async (path, limit) => {
      if (isBroken && path.endsWith("staging.json")) throw Object.assign(new Error("read"), { code: "EIO" })
      return readDocumentFile(path, limit)
    },
  })
  for (const [file, text] of buildFiles({ production: shop, staging: [] })) await put(file, text)
  await serve(source)
  expect(await source.look(false)).toEqual({ kind: "waiting" })
  await later()
  expect([...(await serve(source)).faults.keys()]).toEqual(["staging"])
  expect(await source.look(false)).toEqual({ kind: "waiting" })
  await later()
  isBroken = false
  expect((await serve(source)).faults.size).toBe(0)
  expect(await source.look(false)).toEqual({ kind: "same" })
})

test("a folder that was gone for the moment in which it was read is read again, and refused once", async () => {
  let isGone = true
  const { source, put, later } = await openDirectory({
    readWhole: async (path, limit) => {
      if (isGone && !path.endsWith("manifest.json"))
        throw Object.assign(new Error("open"), { code: "ENOENT" })
      return readDocumentFile(path, limit)
    },
  })
  for (const [file, text] of buildFiles({ production: shop })) await put(file, text)
  await expect(source.look(false)).rejects.toThrow("no production.json in")
  await later()
  expect(await source.look(false)).toEqual({ kind: "waiting" })
  isGone = false
  expect(await source.look(false)).toEqual({ kind: "waiting" })
  await later()
  expect((await serve(source)).faults.size).toBe(0)
})

test("a document is not read when it is longer than the manifest says, nor what is no file", async () => {
  const { directory, source, put } = await openDirectory()
  for (const [file, text] of buildFiles({ production: shop, staging: [] })) await put(file, text)
  await truncate(join(directory, "staging.json"), 2 ** 40)
  expect((await serve(source)).faults.get("staging")?.message).toBe(
    "staging.json is longer than 13 bytes: run `flagstone build` again",
  )
  await put("staging.json", undefined)
  await mkdir(join(directory, "staging.json"))
  expect((await serve(source)).faults.get("staging")?.message).toBe(
    "staging.json is no file: run `flagstone build` again",
  )
})
