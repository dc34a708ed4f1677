import { createPrivateKey } from "node:crypto"
import { describe, expect, test } from "vitest"
import { Failure } from "../../../cli/failure.ts"
import { createSigningKeys } from "../../../cli/keys/create-signing-keys.ts"
import { pointerPath, pointerSignaturePath } from "../../../cli/publish/layout.ts"
import { knowsConditions } from "../../../cli/publish/publish.ts"
import { sendIf } from "../../../cli/publish/send.ts"
import type { PublishTarget } from "../../../cli/publish/target.ts"
import { isSigned } from "../../../proxy/contract/signature.ts"
import { createMemoryTarget } from "../../servers/memory-target.ts"
import { publicationOf, publishOnce, readAsReaders } from "./publications.ts"

const options = { perFlag: true, signingKey: undefined, now: Date.UTC(2026, 10, 21, 10) }

/** The same, and `after` each write or removal. */
function watched(target: PublishTarget, after: (path: string) => Promise<void>): PublishTarget {
  return {
    ...target,
    async write(file, condition) {
      const outcome = await target.write(file, condition)
      await after(file.path)
      return outcome
    },
    async remove(path) {
      await target.remove(path)
      await after(path)
    },
  }
}

test("at every moment there is a signature for the manifest that is there", async () => {
  const key = Buffer.from(createSigningKeys().privateKey, "base64")
  const signingKey = createPrivateKey({ key, format: "der", type: "pkcs8" })
  const memory = createMemoryTarget()
  let looks = 0
  const target = watched(memory, async () => {
    const manifest = await memory.read(pointerPath)
    const signature = await memory.read(pointerSignaturePath)
    if (manifest === undefined) return
    looks++
    expect(isSigned(manifest.bytes, signature?.bytes.toString() ?? "", signingKey)).toBe(true)
  })
  for (const name of ["1", "2", "3"])
    await publishOnce(target, publicationOf(`0${name}`, { a: name }), { ...options, signingKey })
  expect(looks).toBeGreaterThan(10)
})

test("a publisher that another overtakes writes over no file of that one", async () => {
  const memory = createMemoryTarget()
  const flags = (text: string) =>
    Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`flag-${at}`, text]))
  await publishOnce(memory, publicationOf("01", { ...flags("1"), again: "1" }), options)
  const newer = publicationOf("03", { ...flags("3"), again: "3" })
  let other: Promise<unknown> | undefined
  let older = 0
  const target = watched(memory, async (path) => {
    if (!path.startsWith("production/v1/flags/")) return
    other ??= publishOnce(memory, newer, options)
    await other
    if ((await memory.read(path))?.bytes.includes('"description":"3"') !== true) older++
  })
  await expect(publishOnce(target, publicationOf("02", flags("2")), options)).rejects.toThrow(
    "another publisher updated",
  )
  expect(older).toBe(0)
  expect(await readAsReaders(memory, [newer], options)).toBe("03")
})

test("what several publishers left behind that died before they had removed it goes away with the next", async () => {
  const memory = createMemoryTarget()
  const dying = { ...memory, remove: () => Promise.reject(new Failure("killed")) }
  const all = ["abcd", "abc", "ab", "a"].map((keys, at) =>
    publicationOf(`0${at}`, Object.fromEntries([...keys].map((key) => [key, "1"]))),
  )
  for (const [at, publication] of all.entries())
    await publishOnce(at === 0 ? memory : dying, publication, options).catch(() => undefined)
  await expect(readAsReaders(memory, all, options)).rejects.toThrow("flags/d: still there")
  const next = publicationOf("04", { a: "2" })
  await publishOnce(memory, next, options)
  expect(await readAsReaders(memory, [...all, next], options)).toBe("04")
})

test("in a store that keeps objects as files, --no-per-flag gets past what --per-flag left behind", async () => {
  const files = new Map<string, Buffer>()
  const memory = createMemoryTarget(files)
  const asFiles: PublishTarget = {
    ...memory,
    async write(file, condition) {
      const isTaken = [...files.keys()].some(
        (path) => path.startsWith(`${file.path}/`) || file.path.startsWith(`${path}/`),
      )
      if (isTaken) throw new Failure("409 ExistingObjectIsDirectory")
      return memory.write(file, condition)
    },
  }
  const publication = publicationOf("01", { a: "1", "b/c": "1" })
  await expect(publishOnce(asFiles, publication, options)).rejects.toThrow("409")
  const whole = { ...options, perFlag: false }
  await publishOnce(asFiles, publication, whole)
  expect(await readAsReaders(asFiles, [publication], whole)).toBe("01")
})

test("the same revision again repairs what differs, and leaves the pointer as it is", async () => {
  const files = new Map<string, Buffer>()
  const memory = createMemoryTarget(files)
  const publication = publicationOf("01", { a: "1", b: "1" })
  await publishOnce(memory, publication, options)
  const whole = new Map(files)
  for (const path of ["production/v1/flags", "production/v1/flags/a", "manifests/01.json"]) files.delete(path)
  expect(await publishOnce(memory, publication, { ...options, now: options.now + 1 })).toBe("sent")
  expect(files).toEqual(whole)
})

test("a file that does not read back as it was sent is sent five times", async () => {
  const memory = createMemoryTarget()
  let sent = 0
  const target: PublishTarget = {
    ...memory,
    async write(file, condition) {
      if (file.path !== "production/v1/flags") return memory.write(file, condition)
      sent++
      return "written"
    },
  }
  const publishing = publishOnce(target, publicationOf("01", { a: "1" }), { ...options, perFlag: false })
  await expect(publishing).rejects.toThrow("memory: production/v1/flags does not read back as it was sent")
  expect(sent).toBe(5)
})

describe("a place without conditional writes", () => {
  test("is not overwritten if it has changed in the meantime", async () => {
    const target = createMemoryTarget(new Map([["manifest.json", Buffer.from("theirs")]]), false)
    const ours = { path: "manifest.json", bytes: Buffer.from("ours"), contentType: "", cacheControl: "" }
    const replaces = { bytes: Buffer.from("old"), version: undefined }
    expect(await sendIf(target, ours, { replaces })).toBe(false)
    expect((await target.read("manifest.json"))?.bytes.toString()).toBe("theirs")
  })

  const key = Buffer.from(createSigningKeys().privateKey, "base64")
  const signed = { ...options, signingKey: createPrivateKey({ key, format: "der", type: "pkcs8" }) }
  test.each(["production/v1/flags", "revisions.json", "manifest.json.sig"])(
    "another publisher publishes after %s is written: the slower one is told, and readers have the other's",
    async (path) => {
      const memory = createMemoryTarget(new Map(), false)
      await publishOnce(memory, publicationOf("01", { a: "1" }), signed)
      const other = publicationOf("03", { a: "3", c: "3" })
      let isFirst = true
      const target = watched(memory, async (written) => {
        if (written !== path || !isFirst) return
        isFirst = false
        await publishOnce(memory, other, signed)
      })
      const slower = publishOnce(target, publicationOf("02", { a: "2", b: "2" }), signed)
      await expect(slower).rejects.toThrow("another publisher updated")
      const all = [publicationOf("02", { b: "2" }), other]
      expect(await readAsReaders(memory, all, signed)).toBe("03")
      expect(await publishOnce(memory, other, signed)).toBe("nothing to send")
    },
  )
})

test.each(["q?x=1", "h#frag", "back\\slash", "a+b", "a%b", "a b", "a/../b"])(
  "the foreign key %s is refused with single flags alone, before anything is sent",
  async (key) => {
    const files = new Map<string, Buffer>()
    const publication = publicationOf("01", { [key]: "1" })
    await expect(publishOnce(createMemoryTarget(files), publication, options)).rejects.toThrow(
      "cannot end a URL",
    )
    expect(files.size).toBe(0)
    await publishOnce(createMemoryTarget(files), publication, { ...options, perFlag: false })
  },
)

test("a target that ignores conditions is known by a write that should have been refused, not by one that fails", async () => {
  const files = new Map<string, Buffer>()
  await publishOnce(createMemoryTarget(files), publicationOf("a01", { a: "1" }), options)
  const failing: PublishTarget = { ...createMemoryTarget(files), write: () => Promise.reject(Error("403")) }
  const targets = [createMemoryTarget(files), createMemoryTarget(files, false), failing]
  expect(await Promise.all(targets.map(knowsConditions))).toEqual([true, false, true])
})
