import { mkdtemp, rename, rm, stat, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { createDirectorySource } from "../../../proxy/snapshots/directory-source.ts"
import { readDocumentFile } from "../../../proxy/snapshots/document-memory.ts"
import { describeSnapshotSource, type TestStore } from "../../contracts/snapshot-source.ts"
import { buildFiles, shop } from "../fixtures.ts"

const directories: string[] = []
afterAll(() => Promise.all(directories.map((directory) => rm(directory, { recursive: true }))))

async function openDirectory(): Promise<TestStore & { readonly directory: string }> {
  const directory = await mkdtemp(join(tmpdir(), "flagstone-"))
  directories.push(directory)
  return {
    directory,
    source: createDirectorySource(directory),
    later: async () => undefined,
    put: (file, text) =>
      text === undefined ? rm(join(directory, file)) : writeFile(join(directory, file), text),
  }
}

describeSnapshotSource("a directory", openDirectory)

test("a directory that is not there", async () => {
  const source = createDirectorySource("/nowhere/dist")
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
  const { directory, put } = await openDirectory()
  for (const [file, text] of buildFiles({ production: shop, staging: [] })) await put(file, text)
  let isBroken = true
  const source = createDirectorySource(directory, undefined, async (path) => {
    if (isBroken && path.endsWith("staging.json")) throw Object.assign(new Error("read"), { code: "EIO" })
    return readDocumentFile(path)
  })
  const first = await source.look(false)
  expect(first).toMatchObject({ kind: "found" })
  expect(await source.look(false)).toEqual({ kind: "waiting" })
  expect(await source.look(false)).toEqual({ kind: "waiting" })
  isBroken = false
  expect(await source.look(false)).toMatchObject({ kind: "found", value: { faults: new Map() } })
  expect(await source.look(false)).toEqual({ kind: "same" })
})
