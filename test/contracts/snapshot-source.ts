import { describe, expect, test } from "vitest"
import type { SnapshotSource } from "../../proxy/snapshots/snapshot-source.ts"
import { buildFiles, shop } from "../proxy/fixtures.ts"
import { createSetReloader, refusal, type SetReloader } from "../proxy/set-reloader.ts"

/** A store of one kind that a test can change behind the source's back; a file set to `undefined` is gone. */
export interface TestStore {
  readonly source: SnapshotSource
  put(file: string, text: string | undefined): Promise<void>
}

/** What every `SnapshotSource` must do, wherever its bytes are. */
export function describeSnapshotSource(kind: string, open: () => Promise<TestStore>): void {
  const files = buildFiles({ production: shop, staging: [] })
  const production = files.get("production.json") ?? ""

  async function filled(
    changes: Readonly<Record<string, string | undefined>> = {},
  ): Promise<TestStore & { readonly reloader: SetReloader }> {
    const store = await open()
    for (const [file, text] of files) await store.put(file, text)
    for (const [file, text] of Object.entries(changes)) await store.put(file, text)
    return { ...store, reloader: createSetReloader(store.source) }
  }

  describe(`${kind} as a snapshot source`, () => {
    test("finds every environment, byte for byte", async () => {
      const { reloader } = await filled()
      const { manifest, manifestBytes, documents, faults } = await reloader.serve()
      expect(manifest.project).toBe("shop")
      expect(manifestBytes.toString()).toBe(files.get("manifest.json"))
      expect([...documents.keys()]).toEqual(["production", "staging"])
      expect(documents.get("production")?.toString()).toBe(production)
      expect(faults.size).toBe(0)
    })

    test.each<[string, string | undefined, RegExp]>([
      ["no manifest", undefined, /manifest\.json/],
      ["an empty manifest", "", /manifest\.json is not valid/],
      ["half a manifest", files.get("manifest.json")?.slice(0, 99), /manifest\.json is not valid/],
      [
        "a manifest of an older format",
        files.get("manifest.json")?.replace(":1,", ":0,"),
        /formatVersion is not 1: build the snapshots/,
      ],
      [
        "a manifest of a newer format",
        files.get("manifest.json")?.replace(":1,", ":2,"),
        /formatVersion is 2, newer than this Flagstone can read: update this proxy/,
      ],
      ["a manifest without environments", buildFiles({}).get("manifest.json"), /names no environment/],
    ])("%s is refused", async (_, text, message) => {
      const { reloader } = await filled({ "manifest.json": text })
      expect(await reloader.reload()).toEqual(refusal(message))
    })

    test.each<[string, string, string | undefined, RegExp]>([
      ["is missing", "staging", undefined, /staging\.json/],
      ["is empty", "staging", "", /staging\.json has 0 bytes instead of the 13 in manifest\.json/],
      ["is a half", "production", production.slice(0, 99), /production\.json has 103 bytes/],
      ["has extra bytes", "production", `${production}\n`, /production\.json.*(has|longer than) \d+ bytes/],
      ["was tampered with", "production", production.replace("shop", "s1op"), /does not have the SHA-256/],
    ])("a document that %s fails alone", async (_, environment, text, message) => {
      const { reloader } = await filled({ [`${environment}.json`]: text })
      const { documents, faults } = await reloader.serve()
      expect([...faults.keys()]).toEqual([environment])
      expect(faults.get(environment)?.message).toMatch(message)
      expect(documents.size).toBe(1)
      expect(documents.has(environment)).toBe(false)
    })

    test("refuses a set without anything good", async () => {
      const { reloader } = await filled({ "production.json": "{", "staging.json": undefined })
      expect(await reloader.reload()).toEqual(refusal(/production\.json has 1 bytes/))
    })

    test("finds nothing new while nothing changes, and what changed when it does", async () => {
      const { reloader, put } = await filled()
      await reloader.serve()
      expect(await reloader.reload()).toEqual({ kind: "unchanged" })
      for (const [file, text] of buildFiles({ production: [], staging: [] })) await put(file, text)
      const { documents } = await reloader.serve()
      expect(documents.get("production")?.toString()).toBe('{"flags":[]}\n')
      expect(await reloader.reload()).toEqual({ kind: "unchanged" })
      expect((await reloader.reload(true)).kind).toBe("replaced")
    })

    test("a refused set is not read again until it changes, and is then found", async () => {
      const { reloader, put } = await filled()
      await reloader.serve()
      await put("manifest.json", "{")
      expect(await reloader.reload()).toEqual(refusal("manifest.json is not valid"))
      expect(await reloader.reload()).toEqual({ kind: "waiting" })
      await put("manifest.json", files.get("manifest.json"))
      reloader.later()
      expect(await reloader.reload()).toEqual({ kind: "unchanged" })
    })

    test("a document that arrives late is found", async () => {
      const { reloader, put } = await filled({ "staging.json": undefined })
      expect([...(await reloader.serve()).faults.keys()]).toEqual(["staging"])
      reloader.later()
      expect(await reloader.reload()).toEqual({ kind: "unchanged" })
      await put("staging.json", files.get("staging.json"))
      reloader.later()
      const { faults, documents } = await reloader.serve()
      expect(faults.size).toBe(0)
      expect(documents.get("production")?.toString()).toBe(production)
      expect(await reloader.reload()).toEqual({ kind: "unchanged" })
    })
  })
}
