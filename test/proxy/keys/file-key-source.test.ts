import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createFileKeySource } from "../../../proxy/keys/file-key-source.ts"
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

test("reads the records of a key file, and sees it change", async () => {
  const source = createFileKeySource(await write(keyFile))
  expect(await source.read()).toMatchObject([{ id: "web", environment: "production", digest: record.digest }])
  const version = await source.version()
  expect(await source.version()).toBe(version)
  await write(`${keyFile}# a comment\n`)
  expect(await source.version()).not.toBe(version)
})

test("a file from which the last key was taken holds no key; an empty one is half-written", async () => {
  expect(await createFileKeySource(await write("keys: []\n")).read()).toEqual([])
  await expect(createFileKeySource(await write("")).read()).rejects.toThrow("is empty")
  await expect(createFileKeySource(await write(" \n")).read()).rejects.toThrow("is empty")
})

test("a file that is not there is refused with the mend", async () => {
  const source = createFileKeySource(join(directory, "none.yaml"))
  await expect(source.read()).rejects.toThrow(/none\.yaml \(ENOENT\); make one with `flagstone keys create/)
  expect(await source.version()).toBe("ENOENT")
})

test("a file that cannot be read is refused", async () => {
  await expect(createFileKeySource(directory).read()).rejects.toThrow("(EISDIR)")
  const path = await write(keyFile)
  await chmod(path, 0)
  const read = createFileKeySource(path).read()
  await read.then(
    () => undefined, // root reads everything
    (error: Error) => expect(error.message).toContain("(EACCES)"),
  )
})

test("a file that is no key file is refused without a word of it", async () => {
  const source = createFileKeySource(await write("keys:\n  - id: web\n    secret: hunter2hunter2\n"))
  await expect(source.read()).rejects.toThrow("is not valid")
  await expect(source.read()).rejects.not.toThrow("hunter2")
})
