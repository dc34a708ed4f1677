import { describe, expect, test } from "vitest"
import { prepareSnapshot } from "../../../proxy/prepare/prepare.ts"
import { createGeneration } from "../../../proxy/snapshots/generation.ts"
import type { LoadedProject } from "../../../proxy/snapshots/loaded-project.ts"
import { buildFiles, createMapGeneration, flagEntry, loadFiles, shop } from "../fixtures.ts"

function named(project: string, files: Map<string, string>): Map<string, string> {
  return new Map(
    [...files].map(([file, text]) => [file, text.replace('"project":"shop"', `"project":"${project}"`)]),
  )
}

describe.each([
  ["small", shop],
  ["large", Array.from({ length: 400 }, (_, index) => flagEntry(`flag-${1000 + index}`, index % 9))],
])("a snapshot that is %s", (_, entries) => {
  test("has each flag as a part of the list's own memory, and all codings of all of them", async () => {
    const production = (await createMapGeneration(buildFiles({ production: entries }))).find({
      project: undefined,
      environment: "production",
    })
    expect(production?.size).toBe(entries.length)
    for (const entry of entries) {
      const document = production?.flag(entry.flag.key)
      expect(document?.identity.body.toString()).toBe(JSON.stringify(entry))
      expect(document?.identity.body.buffer).toBe(production?.list.identity.body.buffer)
      expect(document?.br !== undefined).toBe(Buffer.byteLength(JSON.stringify(entry)) >= 1024)
      expect(production?.flag(entry.flag.key)).toBe(document)
    }
    expect(production?.flag("unknown")).toBe(undefined)
  })

  test("is refused by name when it is none", async () => {
    const files = buildFiles({ production: [...entries].reverse() })
    await expect(loadFiles(files)).rejects.toThrow(
      "production.json is not a snapshot: flags[1] is out of order",
    )
  })
})

test("a snapshot that is not UTF-8, or is not a flag in the middle, is refused by name", async () => {
  const prepare = (text: string, broken = -1) => {
    const bytes = Buffer.from(text)
    if (broken >= 0) bytes[broken] = 0xff
    return prepareSnapshot(bytes, {
      id: "production",
      file: "production.json",
      sha256: "",
      size: 0,
      flags: 2,
    })
  }
  const invalid = (reason: string) => ({ kind: "invalid", reason: expect.stringContaining(reason) })
  const [first, second] = shop.map((entry) => JSON.stringify(entry))
  const text = `{"flags":[${first},${second}]}`
  expect(await prepare(text, text.length - 20)).toEqual(invalid("production.json is not UTF-8"))
  expect(await prepare(`{"flags":[${first},{}]}`)).toEqual(invalid("flags[1] is not a flag entry"))
  expect(await prepare(`{"flags":[${first} ${second}]}`)).toEqual(invalid("flags[0] is not JSON"))
})

test("what did not change is not prepared again", async () => {
  const first = await loadFiles(buildFiles({ production: shop, staging: [] }))
  const second = await loadFiles(buildFiles({ production: shop, staging: [flagEntry("new")] }), first)
  const snapshotOf = (project: LoadedProject, name: string) => project.environments.get(name)?.snapshot
  expect(snapshotOf(second, "production")).toBe(snapshotOf(first, "production"))
  expect(snapshotOf(second, "staging")).not.toBe(snapshotOf(first, "staging"))
})

test("an environment whose document is bad keeps its older one, and the others go on", async () => {
  const older = buildFiles({ production: shop, staging: [] })
  const first = await loadFiles(older)
  const newer = buildFiles({ production: [flagEntry("b"), flagEntry("a")], staging: [flagEntry("new")] })
  const second = await loadFiles(newer, first)
  expect(second.environments.get("production")).toBe(first.environments.get("production"))
  expect(second.environments.get("staging")?.snapshot.flag("new")).toBeDefined()
  expect([...second.faults.keys()]).toEqual(["production"])
})

test("an environment that the new manifest does not name is gone", async () => {
  const first = await loadFiles(buildFiles({ production: shop, staging: [] }))
  expect([...(await loadFiles(buildFiles({ production: shop }), first)).environments.keys()]).toEqual([
    "production",
  ])
})

test("a set of another project is refused", async () => {
  const first = await loadFiles(buildFiles({ production: shop }))
  await expect(loadFiles(named("toys", buildFiles({ production: [] })), first)).rejects.toThrow(
    "this is project toys, not shop: start the proxy again if that is meant",
  )
})

test("with one source a key needs no project; with several it does, however few have loaded", async () => {
  const served = await loadFiles(buildFiles({ production: shop }))
  const toys = await loadFiles(named("toys", buildFiles({ production: [] })))
  const ref = (project: string | undefined) => ({ project, environment: "production" })
  expect(createGeneration([served], false).find(ref(undefined))?.size).toBe(4)
  expect(createGeneration([served], false).find(ref("toys"))).toBe(undefined)
  expect(createGeneration([served], true).find(ref(undefined))).toBe(undefined)
  expect(createGeneration([served, toys], true).find(ref("toys"))?.size).toBe(0)
  expect(createGeneration([served, toys], true).find(ref("shop"))?.size).toBe(4)
})
