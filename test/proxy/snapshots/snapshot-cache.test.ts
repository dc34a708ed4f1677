// @module-tag system
import { hash } from "node:crypto"
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, describe, expect, test } from "vitest"
import { broken, type Result, unavailable } from "../../../proxy/reload/fault.ts"
import { createSnapshotCache } from "../../../proxy/snapshots/snapshot-cache.ts"
import { canTrace, traceWrites } from "../../traced-writes.ts"
import { buildFiles, flagEntry, shop } from "../fixtures.ts"
import { openAddress } from "../open-address.ts"
import { refusal } from "../set-reloader.ts"

const directories: string[] = []
afterAll(() => Promise.all(directories.map((directory) => rm(directory, { recursive: true, maxRetries: 5 }))))

/** Makes everything in a folder a day old. */
async function age(directory: string): Promise<void> {
  for (const file of await readdir(directory)) {
    const { atimeMs, mtimeMs } = await stat(join(directory, file))
    await utimes(join(directory, file), atimeMs / 1000, mtimeMs / 1000 - 86_400)
  }
}

async function temporary(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "flagstone-"))
  directories.push(directory)
  return directory
}

function goodOf<T>(result: Result<T>): T {
  if (result.kind !== "good") throw new Error(result.message)
  return result.value
}

/** The production document in a cache. */
async function cached(directory: string): Promise<string | undefined> {
  return goodOf(await createSnapshotCache(directory).read())
    .documents.get("production")
    ?.toString()
}

describe("the cache", () => {
  test("gives the last good set while the origin is down, and says so", async () => {
    const cache = createSnapshotCache(join(await temporary(), "deep"))
    const first = await openAddress({ cache })
    await first.reloader.serve()
    const port = Number(first.origin.base.port)
    await first.origin.stop()

    const { origin: other, reloader: second } = await openAddress({ cache, base: first.origin.base })
    const kept = await second.fallBack(/cannot be reached \(ECONNREFUSED\)/)
    expect(kept.documents.get("production")?.toString()).toBe(first.origin.files.get("production.json"))
    expect(await second.reload(true)).toEqual(refusal("ECONNREFUSED"))
    expect(other.takeAsked()).toEqual([])

    const { origin } = await openAddress({ port })
    await second.serve(true)
    expect(origin.takeAsked()).toEqual(["manifest.json 200"])
  })

  test("has the last set and the one before, and never a set with faults", async () => {
    const directory = join(await temporary(), "cache")
    const { origin, reloader } = await openAddress({ cache: createSnapshotCache(directory) })
    await reloader.serve()
    expect(await readdir(directory)).toHaveLength(3)
    expect((await stat(directory)).mode & 0o777).toBe(0o700)
    for (const file of await readdir(directory))
      expect((await stat(join(directory, file))).mode & 0o777).toBe(0o600)
    for (const [file, text] of buildFiles({ production: [flagEntry("new")], staging: [] }))
      origin.files.set(file, text)
    const whole = origin.files.get("production.json") ?? ""
    origin.files.delete("production.json")
    await reloader.serve()
    expect(await cached(directory)).toMatch("dark.mode")
    origin.files.set("production.json", whole)
    reloader.clock.monotonic += 1_000
    await age(directory)
    await reloader.serve()
    expect(await readdir(directory)).toHaveLength(4)
    expect(await cached(directory)).toBe(whole)
    for (const [file, text] of buildFiles({ production: [], staging: [] })) origin.files.set(file, text)
    await age(directory)
    await reloader.serve()
    expect(await readdir(directory)).toHaveLength(3) // both environments have the same document, and have had it
    expect(await readdir(directory)).toContain(`${hash("sha256", whole, "hex")}.json`)
  })

  test("parts that the machine could not serve are retried while the origin stays down", async () => {
    const cache = createSnapshotCache(await temporary())
    const { origin, reloader: first } = await openAddress({ cache })
    await first.serve()
    origin.answer = (_req, res) => res.writeHead(503).end()
    const { reloader } = await openAddress({ cache, base: origin.base })
    reloader.loadFaults = [unavailable("no thread")]
    await reloader.fallBack("503")
    expect(reloader.loads).toBe(1)
    expect(await reloader.reload()).toEqual({ kind: "waiting" })
    reloader.loadFaults = []
    reloader.later()
    await reloader.fallBack("503")
    expect(reloader.loads).toBe(2)
    await reloader.fallBack("503")
    expect(reloader.loads).toBe(2)
  })

  test("keeps the last whole set when a document of the next one is not a snapshot", async () => {
    const directory = await temporary()
    const { origin, reloader } = await openAddress({ cache: createSnapshotCache(directory) })
    await reloader.serve()
    for (const [file, text] of buildFiles({ production: [], staging: [flagEntry("new")] }))
      origin.files.set(file, text)
    reloader.loadFaults = [broken("is not a snapshot")]
    await reloader.serve()
    expect(await cached(directory)).toMatch("dark.mode")
    expect(await reloader.reload()).toEqual({ kind: "waiting" })
  })

  test("removes what a crash left behind, and leaves what another proxy is writing", async () => {
    const directory = await temporary()
    const { reloader } = await openAddress({ cache: createSnapshotCache(directory) })
    for (const file of ["a.json.1.tmp", "b.json", "c.txt"]) await writeFile(join(directory, file), "{")
    await age(directory)
    for (const file of ["d.json.2.tmp", "e.json"]) await writeFile(join(directory, file), "{")
    await reloader.serve()
    const files = (await readdir(directory)).filter((file) => /^[a-e]\./.test(file))
    expect(files.sort()).toEqual(["c.txt", "d.json.2.tmp", "e.json"])
  })

  test("is whole for each of many proxies that share it, whichever writes when", async () => {
    const directory = await temporary()
    const sets = await Promise.all(
      ["a", "b", "c", "d"].map(async (key) => {
        const { origin, reloader } = await openAddress()
        for (const [file, text] of buildFiles({ production: [flagEntry(key)], staging: shop }))
          origin.files.set(file, text)
        return reloader.serve()
      }),
    )
    for (let round = 0; round < 10; round++) {
      await age(directory)
      await Promise.all(sets.map((set) => createSnapshotCache(directory).write(set)))
      const { documents, faults } = goodOf(await createSnapshotCache(directory).read())
      expect([...faults]).toEqual([])
      expect(documents.size).toBe(2)
    }
  })

  test("leaves files younger than ten minutes: another proxy may be reading them", async () => {
    const directory = await temporary()
    const { reloader } = await openAddress({ cache: createSnapshotCache(directory) })
    for (const minutes of [2, 9, 11]) {
      const file = join(directory, `${minutes}.json`)
      await writeFile(file, "{}")
      const { mtimeMs } = await stat(file)
      await utimes(file, mtimeMs / 1000, mtimeMs / 1000 - minutes * 60)
    }
    await reloader.serve()
    const left = (await readdir(directory)).filter((file) => /^\d+\.json$/.test(file))
    expect(left.sort()).toEqual(["2.json", "9.json"])
  })

  test("is verified like the source itself", async () => {
    const directory = await temporary()
    const { origin, reloader } = await openAddress({ cache: createSnapshotCache(directory) })
    const { manifest } = await reloader.serve()
    await writeFile(join(directory, `${manifest.environments.production?.sha256}.json`), "{}")
    const { faults } = goodOf(await createSnapshotCache(directory).read())
    expect([...faults.keys()]).toEqual(["production"])
    await writeFile(join(directory, "manifest.json"), "{")
    origin.answer = (_, res) => res.writeHead(500).end()
    const { reloader: other } = await openAddress({
      base: origin.base,
      cache: createSnapshotCache(directory),
    })
    expect(await other.reload(true)).toEqual(refusal("returned 500"))
  })
})

test.runIf(canTrace)("each file of the cache is synced before it takes its name", async () => {
  const folder = await temporary()
  for (const [file, text] of buildFiles({ production: shop })) await writeFile(join(folder, file), text)
  const module = pathToFileURL(resolve(import.meta.dirname, "../../../proxy/snapshots/snapshot-cache.ts"))
  const script = `
    const { readFileSync } = await import("node:fs")
    const { createSnapshotCache } = await import(${JSON.stringify(module)})
    const manifestBytes = readFileSync("manifest.json")
    const documents = new Map([["production", readFileSync("production.json")]])
    await createSnapshotCache("cache").write({ manifest: JSON.parse(manifestBytes), manifestBytes, documents })`
  const { status, renamed, unsynced } = traceWrites(["--input-type=module", "-e", script], folder, /cache\//)
  expect({ status, renamed: renamed.length, unsynced }).toEqual({ status: 0, renamed: 2, unsynced: [] })
})
