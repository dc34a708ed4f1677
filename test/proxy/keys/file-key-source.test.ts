import { chmod, mkdtemp, rename, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createFileKeySource } from "../../../proxy/keys/file-key-source.ts"
import type { KeySource } from "../../../proxy/keys/key-source.ts"
import { mintKey } from "../fixtures.ts"

let directory = ""
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "flagstone-"))
})
afterAll(() => rm(directory, { recursive: true }))

async function write(text: string): Promise<string> {
  const path = join(directory, "keys.yaml")
  await writeFile(path, text)
  return path
}

const { record } = mintKey()
const keyFile = `keys:
  - id: web
    environment: production
    digest: sha256:${record.digest}
    createdAt: 2026-11-21T10:00:00.000Z
`

async function read(source: KeySource): Promise<unknown> {
  const sighting = await source.look(true)
  return sighting.kind === "found" ? sighting.value : sighting.kind
}

test("reads the records of a key file", async () => {
  const source = createFileKeySource(await write(keyFile))
  expect(await read(source)).toMatchObject([{ id: "web", environment: "production", digest: record.digest }])
  expect(await source.look(false)).toEqual({ kind: "same" })
})

test("believes a change when two looks find the same file, and at once when it must", async () => {
  const source = createFileKeySource(await write(keyFile))
  await read(source)
  await write("keys: [] # half of a file is often a key file, too")
  expect(await source.look(false)).toEqual({ kind: "waiting" })
  await write(`${keyFile}# all of it\n`)
  expect(await source.look(false)).toEqual({ kind: "waiting" })
  expect(await source.look(false)).toMatchObject({ kind: "found", value: [{ id: "web" }] })
  expect(await source.look(false)).toEqual({ kind: "same" })
  await write("keys: []\n")
  expect(await read(source)).toEqual([])
})

test("a file that is gone for a moment is not missed", async () => {
  const path = await write(keyFile)
  const source = createFileKeySource(path)
  await read(source)
  await rename(path, `${path}.old`)
  expect(await source.look(false)).toEqual({ kind: "waiting" })
  await rename(`${path}.old`, path)
  expect(await source.look(false)).toEqual({ kind: "waiting" })
  expect(await source.look(false)).toMatchObject({ kind: "found", value: [{ id: "web" }] })
})

test("what was refused is said once, and read when it changes", async () => {
  const path = await write(keyFile)
  const source = createFileKeySource(path)
  await read(source)
  await write("")
  expect(await source.look(false)).toEqual({ kind: "waiting" })
  await expect(source.look(false)).rejects.toThrow("is empty")
  expect(await source.look(false)).toEqual({ kind: "waiting" })
  await write(keyFile)
  expect(await source.look(false)).toEqual({ kind: "waiting" })
  expect(await source.look(false)).toMatchObject({ kind: "found" })
})

test("a file from which the last key was taken holds no key; an empty one is half-written", async () => {
  expect(await read(createFileKeySource(await write("keys: []\n")))).toEqual([])
  await expect(read(createFileKeySource(await write("")))).rejects.toThrow("is empty")
  await expect(read(createFileKeySource(await write(" \n")))).rejects.toThrow("is empty")
})

test("a file that is not there is refused with the fix", async () => {
  const source = createFileKeySource(join(directory, "none.yaml"))
  await expect(read(source)).rejects.toThrow(/none\.yaml \(ENOENT\); make one with `flagstone keys create/)
})

test("a file that cannot be read is refused", async () => {
  await expect(read(createFileKeySource(directory))).rejects.toThrow("(EISDIR)")
  const path = await write(keyFile)
  await chmod(path, 0)
  await read(createFileKeySource(path)).then(
    () => undefined, // root reads everything
    (error: Error) => expect(error.message).toContain("(EACCES)"),
  )
})

test("the right to read it is a part of what a file is: chmod is a change", async () => {
  const path = await write(keyFile)
  const source = createFileKeySource(path)
  await read(source)
  await chmod(path, 0o600)
  expect(await source.look(false)).toEqual({ kind: "waiting" })
  expect(await source.look(false)).toMatchObject({ kind: "found" })
})

test("a file that could not be read is tried again at every look, though nothing of it changed", async () => {
  const source = createFileKeySource(directory)
  await expect(source.look(true)).rejects.toThrow("(EISDIR)")
  await expect(source.look(false)).rejects.toThrow("(EISDIR)")
})

test("a file that is no key file is refused without a word of it", async () => {
  const source = createFileKeySource(await write("keys:\n  - id: web\n    secret: hunter2hunter2\n"))
  await expect(read(source)).rejects.toThrow("is not valid")
  await expect(read(source)).rejects.not.toThrow("hunter2")
})
