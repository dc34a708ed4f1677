import { describe, expect, test } from "vitest"
import { prepareSnapshot } from "../../../proxy/prepare/prepare.ts"
import { buildFiles, createMapGeneration, flagEntry, loadFiles, shop } from "../fixtures.ts"

describe.each([
  ["small", shop],
  ["large", Array.from({ length: 400 }, (_, index) => flagEntry(`flag-${1000 + index}`, index % 9))],
])("a snapshot that is %s", (_, entries) => {
  test("has each flag as a slice of the list's memory, and all encodings of each", async () => {
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

  test("is refused by name if it is not a snapshot", async () => {
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
