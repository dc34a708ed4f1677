import { describe, expect, test } from "vitest"
import type { SnapshotSet, SnapshotSource } from "../../proxy/snapshots/snapshot-source.ts"
import { buildFiles, shop } from "../proxy/fixtures.ts"

/** A store of one kind that a test can change behind the source's back; a file set to `undefined` is gone. */
export interface TestStore {
  readonly source: SnapshotSource
  put(file: string, text: string | undefined): Promise<void>
  /** Lets as much time pass as a source may wait before it looks again. */
  later(): Promise<void>
}

async function found(source: SnapshotSource): Promise<SnapshotSet> {
  const sighting = await source.look(false)
  if (sighting.kind !== "found") throw new Error(`nothing found: ${sighting.kind}`)
  return sighting.value
}

/** As the proxy does with what it finds. */
export async function serve(source: SnapshotSource): Promise<SnapshotSet> {
  const set = await found(source)
  await source.applied?.(set, set.faults)
  return set
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
    test("finds every environment, byte for byte", async () => {
      const { source } = await filled()
      const { manifest, manifestBytes, documents, faults } = await found(source)
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
        "a manifest of another format",
        files.get("manifest.json")?.replace(":1,", ":2,"),
        /formatVersion is not 1/,
      ],
      ["a manifest without environments", buildFiles({}).get("manifest.json"), /names no environment/],
    ])("%s is refused", async (_, text, message) => {
      const { source } = await filled({ "manifest.json": text })
      await expect(source.look(false)).rejects.toThrow(message)
    })

    test.each<[string, string, string | undefined, RegExp]>([
      ["is missing", "staging", undefined, /staging\.json/],
      ["is empty", "staging", "", /staging\.json has 0 bytes where manifest\.json says 13/],
      ["is a half", "production", production.slice(0, 99), /production\.json has 103 bytes/],
      ["goes on", "production", `${production}\n`, /production\.json.*(has|longer than) \d+ bytes/],
      ["was tampered with", "production", production.replace("shop", "s1op"), /another SHA-256/],
    ])("a document that %s fails alone", async (_, environment, text, message) => {
      const { source } = await filled({ [`${environment}.json`]: text })
      const { documents, faults } = await found(source)
      expect([...faults.keys()]).toEqual([environment])
      expect(faults.get(environment)?.message).toMatch(message)
      expect(documents.size).toBe(1)
      expect(documents.has(environment)).toBe(false)
    })

    test("refuses a set of which nothing is good", async () => {
      const { source } = await filled({ "production.json": "{", "staging.json": undefined })
      await expect(source.look(false)).rejects.toThrow(/production\.json has 1 bytes/)
    })

    test("finds nothing new while nothing changes, and what changed when it does", async () => {
      const { source, put } = await filled()
      await serve(source)
      expect(await source.look(false)).toEqual({ kind: "same" })
      for (const [file, text] of buildFiles({ production: [], staging: [] })) await put(file, text)
      const { documents } = await serve(source)
      expect(documents.get("production")?.toString()).toBe('{"flags":[]}\n')
      expect(await source.look(false)).toEqual({ kind: "same" })
      expect((await source.look(true)).kind).toBe("found")
    })

    test("what was refused is looked at no more until it changes, and then is found", async () => {
      const { source, put, later } = await filled()
      await serve(source)
      await put("manifest.json", "{")
      await expect(source.look(false)).rejects.toThrow("manifest.json is not valid")
      expect(await source.look(false)).toEqual({ kind: "waiting" })
      await put("manifest.json", files.get("manifest.json"))
      await later()
      const sighting = await source.look(false)
      expect(sighting.kind).not.toBe("waiting")
    })

    test("a document that arrives late is found when it is there", async () => {
      const { source, put, later } = await filled({ "staging.json": undefined })
      expect([...(await serve(source)).faults.keys()]).toEqual(["staging"])
      await later()
      expect(await source.look(false)).toEqual({ kind: "waiting" })
      await put("staging.json", files.get("staging.json"))
      await later()
      const { faults, documents } = await serve(source)
      expect(faults.size).toBe(0)
      expect(documents.get("production")?.toString()).toBe(production)
      expect(await source.look(false)).toEqual({ kind: "same" })
    })

    test("what the machine could not serve is found again, ever more seldom", async () => {
      const { source, later } = await filled()
      await found(source)
      source.refused?.(new Error("it could not be prepared", { cause: new Error("EAGAIN") }))
      expect(await source.look(false)).toEqual({ kind: "waiting" })
      await later()
      const { faults } = await serve(source)
      expect(faults.size).toBe(0)
      expect(await source.look(false)).toEqual({ kind: "same" })
    })

    test("what nobody could serve waits for another", async () => {
      const { source, later } = await filled()
      await found(source)
      source.refused?.(new Error("this is project toys, not shop"))
      await later()
      expect(await source.look(false)).toEqual({ kind: "waiting" })
    })

    test("a document that is no snapshot is never good, and waits for another", async () => {
      const { source, later } = await filled()
      const set = await found(source)
      await source.applied?.(set, new Map([["staging", new Error("staging.json is not a snapshot")]]))
      await later()
      expect(await source.look(false)).toEqual({ kind: "waiting" })
    })

    test("a document that the machine could not prepare is found again", async () => {
      const { source, later } = await filled()
      const set = await found(source)
      const fault = new Error("staging.json could not be prepared", { cause: new Error("EMFILE") })
      await source.applied?.(set, new Map([["staging", fault]]))
      expect(await source.look(false)).toEqual({ kind: "waiting" })
      await later()
      expect((await source.look(false)).kind).toBe("found")
    })

    test("names itself", async () => {
      expect((await open()).source.location).not.toBe("")
    })
  })
}
