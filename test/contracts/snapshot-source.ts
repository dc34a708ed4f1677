import { describe, expect, test } from "vitest"
import type { SnapshotSource } from "../../proxy/snapshots/snapshot-source.ts"
import { buildFiles, shop } from "../proxy/fixtures.ts"

/** A store of one kind that a test can change behind the source's back; a file set to `undefined` is gone. */
export interface TestStore {
  readonly source: SnapshotSource
  put(file: string, text: string | undefined): Promise<void>
}

/** What every `SnapshotSource` must do, wherever its bytes lie. */
export function describeSnapshotSource(kind: string, open: () => Promise<TestStore>): void {
  const files = buildFiles({ production: shop, staging: [] })
  const production = files.get("production.json") ?? ""

  async function filled(changes: Readonly<Record<string, string | undefined>> = {}): Promise<TestStore> {
    const store = await open()
    for (const [file, text] of files) await store.put(file, text)
    for (const [file, text] of Object.entries(changes)) await store.put(file, text)
    return store
  }

  describe(`${kind} as a snapshot source`, () => {
    test("reads every environment, byte for byte", async () => {
      const { source } = await filled()
      const { manifest, documents } = await source.read()
      expect(manifest.project).toBe("shop")
      expect([...documents.keys()]).toEqual(["production", "staging"])
      expect(documents.get("production")?.toString()).toBe(production)
    })

    test.each<[string, Record<string, string | undefined>, RegExp]>([
      ["no manifest", { "manifest.json": undefined }, /no manifest\.json in .*flagstone build/],
      ["an empty manifest", { "manifest.json": "" }, /manifest\.json is not valid/],
      [
        "half a manifest",
        { "manifest.json": files.get("manifest.json")?.slice(0, 99) },
        /manifest\.json is not valid/,
      ],
      ["a document that is missing", { "staging.json": undefined }, /no staging\.json/],
      ["an empty document", { "staging.json": "" }, /staging\.json has 0 bytes where manifest\.json says 13/],
      ["half a document", { "production.json": production.slice(0, 99) }, /production\.json has 103 bytes/],
      ["a document that goes on", { "production.json": `${production}\n` }, /production\.json has \d+ bytes/],
      ["a tampered document", { "production.json": production.replace("shop", "s1op") }, /another SHA-256/],
    ])("%s is refused as a whole", async (_, changes, message) => {
      const { source } = await filled(changes)
      await expect(source.read()).rejects.toThrow(message)
    })

    test("has the same version while nothing changes, and another when a file does", async () => {
      const store = await filled()
      const versions = [await store.source.version()]
      expect(await store.source.version()).toBe(versions[0])
      for (const [file, text] of [
        ["staging.json", '{"flags":[1]}'],
        ["staging.json", undefined],
        ["manifest.json", "{}"],
        ["manifest.json", undefined],
      ] as const) {
        await store.put(file, text)
        versions.push(await store.source.version())
      }
      expect(new Set(versions).size).toBe(versions.length)
    })

    test("names itself", async () => {
      expect((await open()).source.location).not.toBe("")
    })
  })
}
