import { hash } from "node:crypto"
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import fc from "fast-check"
import { afterAll, afterEach, describe, expect, test } from "vitest"
import { backoff } from "../../../proxy/reload/backoff.ts"
import { broken, type Result, unavailable } from "../../../proxy/reload/fault.ts"
import { createSnapshotCache } from "../../../proxy/snapshots/snapshot-cache.ts"
import type { SnapshotSource } from "../../../proxy/snapshots/snapshot-source.ts"
import { createUrlSource, type UrlSourceConfig } from "../../../proxy/snapshots/url-source.ts"
import { describeSnapshotSource } from "../../contracts/snapshot-source.ts"
import { buildFiles, flagEntry, shop } from "../fixtures.ts"
import { startOrigin, type TestOrigin } from "../origin.ts"
import { createSetReloader, refusal, type SetReloader } from "../set-reloader.ts"

const origins: TestOrigin[] = []
afterEach(async () => {
  for (const origin of origins.splice(0)) await origin.stop()
})
const directories: string[] = []
afterAll(() => Promise.all(directories.map((directory) => rm(directory, { recursive: true }))))

interface Opened {
  readonly origin: TestOrigin
  readonly source: SnapshotSource
  readonly reloader: SetReloader
}

async function open(changes: Partial<UrlSourceConfig> = {}, port = 0): Promise<Opened> {
  const origin = await startOrigin(port)
  origins.push(origin)
  for (const [file, text] of buildFiles({ production: shop, staging: [] })) origin.files.set(file, text)
  const source = createUrlSource({
    base: origin.base,
    authorization: undefined,
    cache: undefined,
    ...changes,
  })
  return { origin, source, reloader: createSetReloader(source) }
}

/** Answers as servers do whose tags are made of the time of the change. */
function dated(origin: TestOrigin, changedAt: string, answeredAt: string): void {
  const lastModified = new Date(changedAt).toUTCString()
  origin.answer = ({ url, headers }, res) => {
    const text = origin.files.get(url?.split("/").at(-1) ?? "")
    const isSame = headers["if-none-match"] === '"by-the-clock"' || headers["if-modified-since"] !== undefined
    res.writeHead(isSame ? 304 : 200, {
      etag: '"by-the-clock"',
      "last-modified": lastModified,
      date: new Date(answeredAt).toUTCString(),
    })
    res.end(isSame ? undefined : text)
  }
}

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

/** The production document that a cache holds. */
async function cached(directory: string): Promise<string | undefined> {
  return goodOf(await createSnapshotCache(directory).read())
    .documents.get("production")
    ?.toString()
}

describeSnapshotSource("an address", async () => {
  const { origin, source } = await open()
  origin.files.clear()
  return {
    source,
    put: async (file, text) =>
      void (text === undefined ? origin.files.delete(file) : origin.files.set(file, text)),
  }
})

describe("what is read", () => {
  test("is read once: afterwards only the manifest is asked for, and that conditionally", async () => {
    const { origin, reloader } = await open()
    await reloader.serve()
    expect(origin.takeAsked()).toEqual(["manifest.json 200", "production.json 200", "staging.json 200"])
    expect(await reloader.reload()).toEqual({ kind: "unchanged" })
    expect(origin.takeAsked()).toEqual(["manifest.json 304"])
    for (const [file, text] of buildFiles({ production: shop, staging: [flagEntry("new")] }))
      origin.files.set(file, text)
    await reloader.serve()
    expect(origin.takeAsked()).toEqual(["manifest.json 200", "staging.json 200"])
  })

  test("is asked for with what is to be sent along, and in no coding", async () => {
    const { origin, reloader } = await open({ authorization: "Bearer of-good-news" })
    await reloader.serve()
    for (const headers of origin.headers) {
      expect(headers.authorization).toBe("Bearer of-good-news")
      expect(headers["accept-encoding"]).toBe("identity")
    }
  })

  test("is tried again until it is served, though the manifest stays as it is", async () => {
    const { origin, reloader } = await open()
    reloader.loadFault = unavailable("no thread was left")
    expect(await reloader.reload()).toEqual(refusal("no thread"))
    expect(await reloader.reload()).toEqual({ kind: "waiting" })
    origin.takeAsked()
    reloader.loadFault = undefined
    reloader.later()
    await reloader.serve()
    expect(origin.takeAsked()).toEqual(["manifest.json 304"])
  })

  test("is asked for by its tag alone, for some stores look at the date, too", async () => {
    const { origin, reloader } = await open()
    dated(origin, "2026-11-21T09:00:00Z", "2026-11-21T09:00:02Z")
    await reloader.serve()
    expect(await reloader.reload()).toEqual({ kind: "unchanged" })
    const asked = origin.headers.at(-1)
    expect([asked?.["if-none-match"], asked?.["if-modified-since"]]).toEqual(['"by-the-clock"', undefined])
  })

  test("is not asked for by validators of the second in which it was changed", async () => {
    const { origin, reloader } = await open()
    dated(origin, "2026-11-21T09:00:00Z", "2026-11-21T09:00:00Z")
    await reloader.serve()
    for (const [file, text] of buildFiles({ production: shop, staging: [flagEntry("new")] }))
      origin.files.set(file, text)
    expect((await reloader.serve()).documents.get("staging")?.toString()).toContain('"new"')
    dated(origin, "2026-11-21T09:00:00Z", "2026-11-21T09:00:02Z")
    expect(await reloader.reload()).toEqual({ kind: "unchanged" })
    origin.takeAsked()
    expect(await reloader.reload()).toEqual({ kind: "unchanged" })
    expect(origin.takeAsked()).toEqual(["manifest.json 304"])
  })

  test("after a document that does not come, what came is not read again", async () => {
    const { origin, reloader } = await open()
    const late = origin.files.get("staging.json") ?? ""
    origin.files.delete("staging.json")
    expect((await reloader.serve()).faults.get("staging")?.message).toMatch(/staging\.json: answered 404/)
    origin.takeAsked()
    expect(await reloader.reload()).toEqual({ kind: "waiting" })
    expect(origin.takeAsked()).toEqual(["manifest.json 304"])
    origin.files.set("staging.json", late)
    reloader.clock.monotonic += 1_000
    expect((await reloader.serve()).faults.size).toBe(0)
    expect(origin.takeAsked()).toEqual(["manifest.json 304", "staging.json 200"])
  })
})

describe("an origin in trouble", () => {
  const timeouts = { step: 100, file: 200 }
  const half = '{"formatVersion":1,'

  test.each<[string, NonNullable<TestOrigin["answer"]>, RegExp]>([
    ["an error", (_, res) => res.writeHead(500).end("secret trouble"), /answered 500$/],
    [
      "no right",
      (_, res) => res.writeHead(403).end(),
      /answered 403; give .* FLAGSTONE_SNAPSHOTS_AUTHORIZATION/,
    ],
    [
      "a redirect",
      (_, res) => res.writeHead(302, { location: "/" }).end(),
      /answered 302; redirects are not/,
    ],
    ["a 304 that nobody asked for", (_, res) => res.writeHead(304).end(), /answered 304/],
    ["too much", (_, res) => res.end("x".repeat(1024 * 1024 + 1)), /longer than 1048576 bytes/],
    [
      "too much, with its length",
      (_, res) => res.writeHead(200, { "content-length": 2 ** 40 }).end("x"),
      /longer/,
    ],
    [
      "a coding",
      (_, res) => res.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(half)),
      /compressed/,
    ],
    [
      "half of it",
      (_, res) => res.writeHead(200, { "content-length": 99 }).end(half, () => res.destroy()),
      /manifest/,
    ],
    ["nothing", (req) => req.socket.destroy(), /cannot be reached|other side closed/],
    ["silence", () => undefined, /took too long/],
    ["silence after the start", (_, res) => void res.write(half), /took too long|cannot be reached/],
    [
      "a trickle",
      (_, res) => {
        const timer = setInterval(() => res.write(" "), 20)
        res.once("close", () => clearInterval(timer))
      },
      /took too long/,
    ],
  ])("that answers with %s is refused", async (_, answer, message) => {
    const { origin, reloader } = await open({ timeouts, authorization: "Bearer hush" })
    origin.answer = answer
    const refused = await reloader.reload()
    expect(refused).toEqual(refusal(message))
    expect(JSON.stringify(refused)).not.toMatch(/hush|secret trouble/)
    origin.answer = undefined
    expect((await reloader.serve(true)).documents.size).toBe(2)
  })

  test("is asked ever more seldom, and at once when forced or healthy again", async () => {
    const { origin, reloader } = await open()
    await reloader.serve()
    origin.answer = (_, res) => res.writeHead(503).end()
    origin.takeAsked()
    for (let failures = 1; failures < 12; failures++) {
      expect(await reloader.reload()).toEqual(refusal("answered 503"))
      const wait = backoff(failures, 0.999)
      reloader.clock.monotonic += wait - 1
      expect(await reloader.reload()).toEqual({ kind: "waiting" })
      reloader.clock.monotonic += 1
    }
    expect(await reloader.reload(true)).toEqual(refusal("answered 503"))
    expect(origin.takeAsked()).toHaveLength(12)
    origin.answer = undefined
    reloader.later()
    expect(await reloader.reload()).toEqual({ kind: "unchanged" })
    expect(await reloader.reload()).toEqual({ kind: "unchanged" })
  })

  test("backoff grows, has an end, and is never the same for all", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2000 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (count, chance) => {
          const wait = backoff(count, chance)
          expect(wait).toBeGreaterThanOrEqual(500)
          expect(wait).toBeLessThan(300_000)
          expect(backoff(count + 1, chance)).toBeGreaterThanOrEqual(wait)
          if (chance > 0.01) expect(wait).toBeGreaterThan(backoff(count, 0))
        },
      ),
    )
  })

  test("a document that is longer than its manifest says is cut off", async () => {
    const { origin, reloader } = await open()
    origin.files.set("production.json", "x".repeat(1_000_000))
    const { faults } = await reloader.serve()
    expect(faults.get("production")?.message).toMatch(/production\.json: longer than \d+ bytes/)
  })

  test("one that claims to be huge is not even asked for", async () => {
    const { origin, reloader } = await open()
    const manifest = JSON.parse(origin.files.get("manifest.json") ?? "")
    manifest.environments.production.size = 2 ** 40
    origin.files.set("manifest.json", JSON.stringify(manifest))
    expect((await reloader.serve()).faults.get("production")?.message).toMatch("is longer than")
    expect(origin.takeAsked()).toEqual(["manifest.json 200", "staging.json 200"])
  })
})

test("after an outage the same set is confirmed, so that nobody goes on speaking of the outage", async () => {
  const { origin, reloader } = await open()
  reloader.loadFaults = [broken("is not a snapshot")]
  await reloader.serve()
  expect(await reloader.reload()).toEqual({ kind: "waiting" })
  origin.answer = (_req, res) => res.writeHead(503).end()
  expect(await reloader.reload()).toEqual(refusal("503"))
  origin.answer = undefined
  reloader.later()
  expect(await reloader.reload()).toEqual({ kind: "confirmed" })
  expect(await reloader.reload()).toEqual({ kind: "waiting" })
})

describe("the cache", () => {
  test("gives the last good set while the origin is down, and says so", async () => {
    const cache = createSnapshotCache(join(await temporary(), "deep"))
    const first = await open({ cache })
    await first.reloader.serve()
    const port = Number(first.origin.base.port)
    await first.origin.stop()

    const second = createSetReloader(
      createUrlSource({ base: first.origin.base, authorization: undefined, cache }),
    )
    const kept = await second.serve(true)
    expect(kept.fallback?.message).toMatch(/cannot be reached \(ECONNREFUSED\)/)
    expect(kept.documents.get("production")?.toString()).toBe(first.origin.files.get("production.json"))
    expect(await second.reload(true)).toEqual(refusal("ECONNREFUSED"))

    const { origin } = await open({}, port)
    const fresh = await second.serve(true)
    expect(fresh.fallback).toBe(undefined)
    expect(origin.takeAsked()).toEqual(["manifest.json 200"])
  })

  test("holds the last set and the one before, and never a set with faults", async () => {
    const directory = join(await temporary(), "cache")
    const { origin, reloader } = await open({ cache: createSnapshotCache(directory) })
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

  test("what the machine could not serve of it is tried again while the origin stays down", async () => {
    const cache = createSnapshotCache(await temporary())
    const { origin, reloader: first } = await open({ cache })
    await first.serve()
    origin.answer = (_req, res) => res.writeHead(503).end()
    const { reloader } = await open({ cache, base: origin.base })
    reloader.loadFaults = [unavailable("no thread")]
    expect((await reloader.serve()).fallback?.message).toContain("503")
    expect(await reloader.reload()).toEqual({ kind: "waiting" })
    reloader.loadFaults = []
    reloader.later()
    expect((await reloader.serve()).documents.size).toBe(2)
    reloader.later()
    expect(await reloader.reload()).toEqual(refusal("503"))
  })

  test("keeps the last whole set when a document of the next one is no snapshot", async () => {
    const directory = await temporary()
    const { origin, reloader } = await open({ cache: createSnapshotCache(directory) })
    await reloader.serve()
    for (const [file, text] of buildFiles({ production: [], staging: [flagEntry("new")] }))
      origin.files.set(file, text)
    reloader.loadFaults = [broken("is not a snapshot")]
    await reloader.serve()
    expect(await cached(directory)).toMatch("dark.mode")
    expect(await reloader.reload()).toEqual({ kind: "waiting" })
  })

  test("loses what a crash left behind, and leaves what another proxy is writing", async () => {
    const directory = await temporary()
    const { reloader } = await open({ cache: createSnapshotCache(directory) })
    for (const file of ["a.json.1.tmp", "b.json", "c.txt"]) await writeFile(join(directory, file), "{")
    await age(directory)
    for (const file of ["d.json.2.tmp", "e.json"]) await writeFile(join(directory, file), "{")
    await reloader.serve()
    const files = (await readdir(directory)).filter((file) => /^[a-e]\./.test(file))
    expect(files.sort()).toEqual(["c.txt", "d.json.2.tmp", "e.json"])
  })

  test("is whole for each of many proxies that share it, whoever writes when", async () => {
    const directory = await temporary()
    const sets = await Promise.all(
      ["a", "b", "c", "d"].map(async (key) => {
        const { origin, reloader } = await open()
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

  test("is verified like the source itself", async () => {
    const directory = await temporary()
    const { origin, reloader } = await open({ cache: createSnapshotCache(directory) })
    const { manifest } = await reloader.serve()
    await writeFile(join(directory, `${manifest.environments.production?.sha256}.json`), "{}")
    const { faults } = goodOf(await createSnapshotCache(directory).read())
    expect([...faults.keys()]).toEqual(["production"])
    await writeFile(join(directory, "manifest.json"), "{")
    origin.answer = (_, res) => res.writeHead(500).end()
    const { reloader: other } = await open({ base: origin.base, cache: createSnapshotCache(directory) })
    expect(await other.reload(true)).toEqual(refusal("answered 500"))
  })
})
