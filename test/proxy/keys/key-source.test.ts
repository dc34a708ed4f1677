// @module-tag system
import { execFileSync } from "node:child_process"
import { chmod, mkdtemp, rename, rm, truncate, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import { maxKeyFileLength } from "../../../proxy/contract/key-file.ts"
import { createKeyFileSource } from "../../../proxy/keys/key-source.ts"
import {
  costOf,
  createKeyReloader,
  describeKeySource,
  manyKeys,
  unchanged,
  waiting,
  webKeyFile,
} from "../../contracts/key-source.ts"
import { openKeyAddress } from "../open-key-address.ts"
import { refusal } from "../set-reloader.ts"

let directory = ""
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "flagstone-"))
})
afterAll(() => rm(directory, { recursive: true }))
afterEach(() => rm(join(directory, "keys.yaml"), { force: true }))

const put = async (text: string | undefined): Promise<string> => {
  const path = join(directory, "keys.yaml")
  if (text === undefined) await rm(path, { force: true })
  else await writeFile(path, text)
  return path
}

describeKeySource("a file", async () => ({
  source: createKeyFileSource(join(directory, "keys.yaml")),
  put: async (text) => void (await put(text)),
}))

describeKeySource("an address", async () => {
  const { origin, source } = await openKeyAddress()
  return {
    source,
    put: async (text) =>
      void (text === undefined ? origin.files.delete("keys.yaml") : origin.files.set("keys.yaml", text)),
  }
})

describe("an address that sends a damaged key file with the tag of the good one", () => {
  const renamed = webKeyFile.replace("id: web", "id: web-2")

  test("is asked again without conditions, and the good one is taken", async () => {
    const { origin, reloader } = await openKeyAddress({ text: webKeyFile })
    await reloader.read()
    origin.files.set("keys.yaml", renamed)
    origin.damage = "keys.yaml"
    expect(await reloader.look()).toEqual(waiting)
    expect(await reloader.look()).toEqual(refusal("keys.yaml"))
    origin.damage = undefined
    expect(await reloader.look()).toEqual(waiting)
    expect(await reloader.look()).toEqual({ kind: "replaced" })
    expect(reloader.reloader.current).toMatchObject([{ id: "web-2" }])
    origin.takeAsked()
    expect(await reloader.look()).toEqual(unchanged)
    expect(origin.takeAsked()).toEqual(["keys.yaml 304"])
  })

  test("must send it twice before it counts: a tag that stays the same is no second look", async () => {
    const { origin, reloader } = await openKeyAddress({ text: webKeyFile })
    await reloader.read()
    origin.files.set("keys.yaml", renamed)
    expect(await reloader.look()).toEqual(waiting)
    origin.takeAsked()
    expect(await reloader.look()).toEqual({ kind: "replaced" })
    expect(origin.takeAsked()).toEqual(["keys.yaml 200"])
  })
})

describe("a file of this machine", () => {
  const open = (path: string) => createKeyReloader(createKeyFileSource(path))

  test("that disappears briefly is not missed", async () => {
    const path = await put(webKeyFile)
    const { read, look } = open(path)
    await read()
    await rename(path, `${path}.old`)
    expect(await look()).toEqual(waiting)
    await rename(`${path}.old`, path)
    expect(await look()).toEqual(unchanged)
  })

  test("that is not a key file, or too long, is refused, and blocks no one", async () => {
    const fix = "give --keys a key file, with at most about 4,000 keys$"
    expect(await open(directory).reloader.reload(true)).toEqual(refusal(`is not a regular file: ${fix}`))
    const path = await put(webKeyFile)
    await truncate(path, 2 ** 40)
    expect(await open(path).reloader.reload(true)).toEqual(refusal(`longer than 1048576 bytes: ${fix}`))
    const pipe = join(directory, "pipe")
    execFileSync("mkfifo", [pipe])
    expect(await open(pipe).reloader.reload(true)).toEqual(refusal(`is not a regular file: ${fix}`))
    expect(await open(join(path, "keys.yaml")).reloader.reload(true)).toEqual(refusal(`ENOTDIR\\): ${fix}`))
    const missing = join(directory, "missing.yaml")
    expect(await open(missing).reloader.reload(true)).toEqual(
      refusal(": create it with `flagstone keys create"),
    )
  })

  test.each(["[", '"', "! ", "a:\n"])(
    "of 1 MiB of `%s` costs less than as many bytes of keys",
    { tags: ["slow"] },
    async (piece) => {
      const strange = await costOf(open(await put(piece.repeat(maxKeyFileLength / piece.length))), "refused")
      expect(strange.all).toBeLessThan((await costOf(open(await put(manyKeys)), "replaced")).all)
    },
  )

  test("that may not be read is refused", async () => {
    const path = await put(webKeyFile)
    await chmod(path, 0)
    const result = await open(path).reloader.reload(true)
    if (result.kind === "refused") expect(result).toEqual(refusal("EACCES")) // root reads everything
  })
})

describe("an address", () => {
  test("is asked conditionally, and not for a signature that no one needs", async () => {
    const { origin, reloader } = await openKeyAddress({ text: webKeyFile })
    await reloader.read()
    expect(await reloader.look()).toEqual(unchanged)
    expect(origin.takeAsked()).toEqual(["keys.yaml 200", "keys.yaml 304"])
    await reloader.read() // forced: no validator is trusted
    expect(origin.takeAsked()).toEqual(["keys.yaml 200"])
  })
})
