import { mkdir, mkdtemp, rename, rm, stat, truncate, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, expect, test } from "vitest"
import { createFolder, readFile } from "../../../proxy/reload/folder.ts"
import { createSnapshotSource, fixOfSet } from "../../../proxy/snapshots/snapshot-source.ts"
import { describeSnapshotSource, type TestStore } from "../../contracts/snapshot-source.ts"
import { buildFiles, shop } from "../fixtures.ts"
import { createSetReloader, refusal } from "../set-reloader.ts"

const directories: string[] = []
afterAll(() => Promise.all(directories.map((directory) => rm(directory, { recursive: true }))))

async function openFolder(readBytes = readFile): Promise<TestStore & { readonly directory: string }> {
  const directory = await mkdtemp(join(tmpdir(), "flagstone-"))
  directories.push(directory)
  return {
    directory,
    source: createSnapshotSource(createFolder(directory, fixOfSet, readBytes)),
    put: (file, text) =>
      text === undefined ? rm(join(directory, file)) : writeFile(join(directory, file), text),
  }
}

describeSnapshotSource("a folder", openFolder)

test("a missing folder", async () => {
  const reloader = createSetReloader(createSnapshotSource(createFolder("/nowhere/dist", fixOfSet)))
  expect(await reloader.reload()).toEqual(
    refusal("there is no /nowhere/dist/manifest.json: run `flagstone build`"),
  )
  expect(await reloader.reload()).toEqual({ kind: "waiting" })
})

test("a file in place of a folder", async () => {
  const file = fileURLToPath(import.meta.url)
  const reloader = createSetReloader(createSnapshotSource(createFolder(file, fixOfSet)))
  expect(await reloader.reload()).toEqual(
    refusal("ENOTDIR\\): give --snapshots the folder, not a file in it"),
  )
})

test("a file replaced by one of the same size and time is read", async () => {
  const { directory, source, put } = await openFolder()
  const reloader = createSetReloader(source)
  await put("manifest.json", "{}")
  const manifest = join(directory, "manifest.json")
  const { atime, mtime } = await stat(manifest)
  expect(await reloader.reload()).toEqual(refusal("formatVersion"))
  await put("manifest.json.new", "[]")
  await utimes(join(directory, "manifest.json.new"), atime, mtime)
  await rename(join(directory, "manifest.json.new"), manifest)
  expect(await reloader.reload()).toEqual(refusal("not an object"))
})

test("a document that the disk failed to read is read again, even if its file stays the same", async () => {
  let isBroken = true
  const { source, put } = await openFolder(async (path, limit) => {
    if (isBroken && path.endsWith("staging.json")) throw Object.assign(new Error("read"), { code: "EIO" })
    return readFile(path, limit)
  })
  const reloader = createSetReloader(source)
  for (const [file, text] of buildFiles({ production: shop, staging: [] })) await put(file, text)
  await reloader.serve()
  expect(await reloader.reload()).toEqual({ kind: "waiting" })
  reloader.later()
  expect([...(await reloader.serve()).faults.keys()]).toEqual(["staging"])
  expect(await reloader.reload()).toEqual({ kind: "waiting" })
  reloader.later()
  isBroken = false
  expect((await reloader.serve()).faults.size).toBe(0)
  expect(await reloader.reload()).toEqual({ kind: "unchanged" })
})

test("a folder that was missing while it was read is read again", async () => {
  let isGone = true
  const { source, put } = await openFolder(async (path, limit) => {
    if (isGone && !path.endsWith("manifest.json")) throw Object.assign(new Error("open"), { code: "ENOENT" })
    return readFile(path, limit)
  })
  const reloader = createSetReloader(source)
  for (const [file, text] of buildFiles({ production: shop })) await put(file, text)
  expect(await reloader.reload()).toEqual(refusal("/production.json: run `flagstone build`"))
  reloader.later()
  expect(await reloader.reload()).toEqual(refusal("/production.json: run `flagstone build`"))
  isGone = false
  expect(await reloader.reload()).toEqual({ kind: "waiting" })
  reloader.later()
  expect((await reloader.serve()).faults.size).toBe(0)
})

test("a document is not read if it is longer than the manifest says or not a regular file", async () => {
  const { directory, source, put } = await openFolder()
  const reloader = createSetReloader(source)
  for (const [file, text] of buildFiles({ production: shop, staging: [] })) await put(file, text)
  await truncate(join(directory, "staging.json"), 2 ** 40)
  expect((await reloader.serve()).faults.get("staging")?.message).toBe(
    "staging.json is longer than 13 bytes: run `flagstone build` again",
  )
  await put("staging.json", undefined)
  await mkdir(join(directory, "staging.json"))
  expect((await reloader.serve()).faults.get("staging")?.message).toBe(
    "staging.json is not a regular file: run `flagstone build` again",
  )
})
