import { randomBytes } from "node:crypto"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { currentFile, immutableFile } from "../../cli/publish/layout.ts"
import type { PublishTarget } from "../../cli/publish/target.ts"

/** A place of one kind to publish to. */
export interface TestPlace {
  /** Opens it, or a separate place below it; each publisher opens it separately. */
  open(below?: string): PublishTarget
  /** Whether it refuses a write whose condition does not hold. */
  readonly isConditional: boolean
  /** Whether files at `x` and at `x/y` exclude each other there. */
  readonly keepsObjectsAsFiles?: boolean
  /** How a reader finds a file; `undefined`: not at all. */
  get(
    path: string,
  ): Promise<{ readonly status: number; readonly bytes: Buffer; readonly headers: Headers } | undefined>
  stop(): Promise<void>
}

/** What every `PublishTarget` must do, wherever the bytes end up. */
export function describePublishTarget(kind: string, start: () => Promise<TestPlace>): void {
  describe(`${kind} as a publish target`, () => {
    let place: TestPlace
    let target: PublishTarget
    beforeAll(async () => {
      place = await start()
      target = place.open()
    })
    afterAll(async () => {
      await target.close()
      await place.stop()
    })
    const write = (path: string, text: string | Uint8Array) =>
      target.write(currentFile(path, Buffer.from(text)))
    const read = async (path: string) => (await target.read(path))?.bytes.toString()

    test("a file that was never written is absent, and can be removed", async () => {
      expect(await target.read("snapshots/none.json")).toBeUndefined()
      expect(await target.read("none/v1/flags/a/b")).toBeUndefined()
      await target.remove("snapshots/none.json")
    })

    test("keeps every byte", async () => {
      for (const bytes of [Buffer.from("{}"), Buffer.from("🏁 é\u0000\r\n"), randomBytes(3_000_000)]) {
        await target.write(immutableFile("snapshots/bytes.json", bytes))
        expect((await target.read("snapshots/bytes.json"))?.bytes.equals(bytes)).toBe(true)
      }
    })

    test("the list and flags of any key can be side by side, or the message says that they cannot", async () => {
      const paths = ["", "/a", "/a/b", "/a.b", "/A_b-c", "/2026/x.json"].map(
        (key) => `staging/v1/flags${key}`,
      )
      if (place.keepsObjectsAsFiles) {
        await write(paths[0] ?? "", "list")
        return expect(write(paths[1] ?? "", "flag")).rejects.toThrow("publish with --no-per-flag")
      }
      for (const path of paths) await write(path, path)
      for (const path of paths) expect(await read(path)).toBe(path)
      await target.remove("staging/v1/flags/a")
      expect(await read("staging/v1/flags/a")).toBeUndefined()
      expect(await read("staging/v1/flags/a/b")).toBe("staging/v1/flags/a/b")
    })

    test("readers find a file, with its type", async () => {
      await write("readers/v1/flags", '{"flags":[]}\n')
      await write("manifest.json", "{}")
      for (const [path, text] of [
        ["readers/v1/flags", '{"flags":[]}\n'],
        ["manifest.json", "{}"],
      ] as const) {
        const got = await place.get(path)
        if (got === undefined) continue
        expect({ status: got.status, text: got.bytes.toString() }).toEqual({ status: 200, text })
        expect(got.headers.get("content-type")).toBe("application/json")
        expect(got.headers.get("cache-control")).toBe(
          "public, max-age=30, stale-while-revalidate=3600, stale-if-error=86400",
        )
      }
    })

    test("a version changes with the bytes, and a write conditional on it succeeds", async () => {
      await write("pointer.json", "one")
      const one = await target.read("pointer.json")
      expect((await target.read("pointer.json"))?.version).toBe(one?.version)
      expect(await target.write(currentFile("pointer.json", Buffer.from("two!")), { replaces: one })).toBe(
        "written",
      )
      const two = await target.read("pointer.json")
      expect(two?.bytes.toString()).toBe("two!")
      expect(two?.version).not.toBe(one?.version)
      expect(await target.write(currentFile("new.json", Buffer.from("1")), { replaces: undefined })).toBe(
        "written",
      )
    })

    test("a write conditional on an outdated version fails", async () => {
      if (!place.isConditional) return
      await write("gone.json", "1")
      const seen = await target.read("gone.json")
      await target.remove("gone.json")
      expect(await target.write(currentFile("gone.json", Buffer.from("2")), { replaces: seen })).toBe("lost")
      expect(await read("gone.json")).toBeUndefined()
    })

    test("of two publishers that saw the same version, one is told that it lost", async () => {
      if (!place.isConditional) return
      const other = place.open()
      await write("race.json", "old")
      const seen = await target.read("race.json")
      const tries = await Promise.all(
        [target, other, target, other].map((each, at) =>
          each.write(currentFile("race.json", Buffer.from(`new ${at}`)), { replaces: seen }),
        ),
      )
      expect(tries.toSorted()).toEqual(["lost", "lost", "lost", "written"])
      expect(await read("race.json")).toBe(`new ${tries.indexOf("written")}`)
      expect(await other.write(currentFile("race.json", Buffer.from("x")), { replaces: undefined })).toBe(
        "lost",
      )
      await other.close()
    })

    test("a reader never sees part of a file", async () => {
      const texts = ["a", "b"].map((letter) => letter.repeat(500_000))
      await write("whole/v1/flags", texts[0] ?? "")
      const writes = (async () => {
        for (let round = 1; round < 20; round++) await write("whole/v1/flags", texts[round % 2] ?? "")
      })()
      let isDone = false
      void writes.finally(() => {
        isDone = true
      })
      const seen = new Set<string | undefined>()
      while (!isDone) seen.add(await read("whole/v1/flags"))
      await writes
      for (const text of seen) expect(texts.includes(text ?? "")).toBe(true)
    })
  })
}
