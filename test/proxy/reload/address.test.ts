// @module-tag system
import { gzipSync } from "node:zlib"
import { describe, expect, test, vi } from "vitest"
import { unavailable } from "../../../proxy/reload/fault.ts"
import { describeSnapshotSource } from "../../contracts/snapshot-source.ts"
import { buildFiles, flagEntry, shop } from "../fixtures.ts"
import { openAddress } from "../open-address.ts"
import type { TestOrigin } from "../origin.ts"
import { refusal } from "../set-reloader.ts"

/** Answers like servers whose tags come from the time of the change. */
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

describeSnapshotSource("an address", async () => {
  const { origin, source } = await openAddress()
  origin.files.clear()
  return {
    source,
    put: async (file, text) =>
      void (text === undefined ? origin.files.delete(file) : origin.files.set(file, text)),
  }
})

describe("what is read", () => {
  test("is read once: afterwards only the manifest is requested, conditionally", async () => {
    const { origin, reloader } = await openAddress()
    await reloader.serve()
    expect(origin.takeAsked()).toEqual(["manifest.json 200", "production.json 200", "staging.json 200"])
    expect(await reloader.reload()).toEqual({ kind: "unchanged" })
    expect(origin.takeAsked()).toEqual(["manifest.json 304"])
    for (const [file, text] of buildFiles({ production: shop, staging: [flagEntry("new")] }))
      origin.files.set(file, text)
    await reloader.serve()
    expect(origin.takeAsked()).toEqual(["manifest.json 200", "staging.json 200"])
  })

  test("is requested with its authorization, and without encoding", async () => {
    const { origin, reloader } = await openAddress({ authorization: "Bearer of-good-news" })
    await reloader.serve()
    for (const headers of origin.headers) {
      expect(headers.authorization).toBe("Bearer of-good-news")
      expect(headers["accept-encoding"]).toBe("identity")
    }
  })

  test("may say that it has no encoding", async () => {
    const { origin, reloader } = await openAddress()
    const files = new Map(origin.files)
    origin.answer = ({ url }, res) =>
      void res.writeHead(200, { "content-encoding": "identity" }).end(files.get(url?.split("/").at(-1) ?? ""))
    expect((await reloader.serve()).documents.size).toBe(2)
  })

  test("is requested without conditions after a refusal: a damaged answer may have had the tag of a good one", async () => {
    const { origin, reloader } = await openAddress()
    await reloader.serve()
    for (const [file, text] of buildFiles({ production: shop, staging: [flagEntry("new")] }))
      origin.files.set(file, text)
    origin.damage = "manifest.json"
    expect(await reloader.reload()).toEqual(refusal("manifest.json is not valid"))
    origin.damage = undefined
    origin.takeAsked()
    const { documents } = await reloader.serve()
    expect(documents.get("staging")?.toString()).toContain("new")
    expect(origin.takeAsked()).toEqual(["manifest.json 200", "staging.json 200"])
    expect(await reloader.reload()).toEqual({ kind: "unchanged" })
    expect(origin.takeAsked()).toEqual(["manifest.json 304"])
  })

  test("is retried until it is served, even if the manifest stays the same", async () => {
    const { origin, reloader } = await openAddress()
    reloader.loadFault = unavailable("no thread was left")
    expect(await reloader.reload()).toEqual(refusal("no thread"))
    expect(await reloader.reload()).toEqual({ kind: "waiting" })
    origin.takeAsked()
    reloader.loadFault = undefined
    reloader.later()
    await reloader.serve()
    expect(origin.takeAsked()).toEqual(["manifest.json 200"])
  })

  test("is requested by its tag alone, because some stores look at the date, too", async () => {
    const { origin, reloader } = await openAddress()
    dated(origin, "2026-11-21T09:00:00Z", "2026-11-21T09:00:02Z")
    await reloader.serve()
    expect(await reloader.reload()).toEqual({ kind: "unchanged" })
    const asked = origin.headers.at(-1)
    expect([asked?.["if-none-match"], asked?.["if-modified-since"]]).toEqual(['"by-the-clock"', undefined])
  })

  test.each([0, 1])("is requested without validators %d s after it was changed", async (age) => {
    const { origin, reloader } = await openAddress()
    dated(origin, "2026-11-21T09:00:00Z", `2026-11-21T09:00:0${age}Z`)
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

  test("after a document that does not arrive, those that did are not read again", async () => {
    const { origin, reloader } = await openAddress()
    const late = origin.files.get("staging.json") ?? ""
    origin.files.delete("staging.json")
    expect((await reloader.serve()).faults.get("staging")?.message).toMatch(/staging\.json: returned 404/)
    origin.takeAsked()
    expect(await reloader.reload()).toEqual({ kind: "waiting" })
    expect(origin.takeAsked()).toEqual(["manifest.json 200"])
    origin.files.set("staging.json", late)
    reloader.clock.monotonic += 1_000
    expect((await reloader.serve()).faults.size).toBe(0)
    expect(origin.takeAsked()).toEqual(["manifest.json 200", "staging.json 200"])
  })
})

test("a set that was published before the served one is not taken, as when two edges of a CDN differ", async () => {
  const { origin, reloader } = await openAddress()
  const put = (flag: string, published = "") => {
    for (const [file, text] of buildFiles({ production: [flagEntry(flag)] }))
      origin.files.set(file, file === "manifest.json" ? text.replace("{", `{${published}`) : text)
  }
  const at = (hour: number) => `"publishedAt":"2026-11-21T${hour}:00:00Z",`
  put("new", at(12))
  await reloader.serve()
  put("old", at(11))
  expect(await reloader.reload()).toEqual(refusal(/ is older than the one being served: .* --allow-older$/))
  put("new", at(12))
  await reloader.serve()
  put("build") // says nothing of its time
  expect((await reloader.serve()).documents.get("production")?.toString()).toContain('"build"')
})

describe("a failing origin", () => {
  const timeouts = { step: 100, file: 200 }
  const half = '{"formatVersion":1,'

  test.each<[string, NonNullable<TestOrigin["answer"]>, RegExp]>([
    ["an error", (_, res) => res.writeHead(500).end("secret trouble"), /returned 500$/],
    [
      "no right",
      (_, res) => res.writeHead(403).end(),
      /returned 403; the server refused FLAGSTONE_SNAPSHOTS_AUTHORIZATION: check its value and its rights$/,
    ],
    [
      "a private bucket",
      (_, res) => res.writeHead(403, { "x-amz-request-id": "1" }).end(),
      /returned 403: the bucket is private, or the file is not there; let the proxy read it in one of the ways of docs\/operating\.md, "A private bucket"$/,
    ],
    [
      "the address of another region",
      (_, res) => res.writeHead(301).end("<Error><Code>PermanentRedirect</Code>"),
      /returned 301 PermanentRedirect; redirects are not followed: use the final URL$/,
    ],
    [
      "a reason that stops half-way",
      (_, res) => void res.writeHead(403).write("<Code>AccessDenied</Code>"),
      /returned 403 AccessDenied; the server refused /,
    ],
    [
      "a store that says why, without end",
      (_, res) => {
        res.writeHead(503).write("<Code>SlowDown</Code>")
        res.write("x".repeat(4096))
      },
      /returned 503 SlowDown$/,
    ],
    [
      "a redirect",
      (_, res) => res.writeHead(302, { location: "/" }).end(),
      /returned 302; redirects are not/,
    ],
    ["an unrequested 304", (_, res) => res.writeHead(304).end(), /returned 304$/],
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
    ["nothing", (req) => req.socket.destroy(), /closed the connection before the end of its response$/],
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
    const { origin, reloader } = await openAddress({ timeouts, authorization: "Bearer hush" })
    origin.answer = answer
    const refused = await reloader.reload()
    expect(refused).toEqual(refusal(message))
    expect(JSON.stringify(refused)).not.toMatch(/hush|secret trouble/)
    origin.answer = undefined
    // A busy machine may need longer than these timeouts to read what is there.
    const serve = async () => expect((await reloader.serve(true)).documents.size).toBe(2)
    await vi.waitFor(serve, { timeout: 20_000 })
  })

  test("a proxy without credentials is told where to put them", async () => {
    const { origin, reloader } = await openAddress()
    origin.answer = (_, res) => res.writeHead(401).end()
    expect(await reloader.reload()).toEqual(
      refusal(
        /returned 401; put .* FLAGSTONE_SNAPSHOTS_AUTHORIZATION or, for S3, name the bucket as s3:\/\/bucket\/path$/,
      ),
    )
  })

  test("a proxy that signs its requests is told what a store's code asks it to do", async () => {
    const { origin, reloader } = await openAddress({ sign: async () => ({}) })
    origin.answer = (_, res) => res.writeHead(403).end("<Error><Code>RequestTimeTooSkewed</Code>")
    expect(await reloader.reload()).toEqual(
      refusal(/returned 403 RequestTimeTooSkewed: this machine's clock is wrong: set it$/),
    )
  })

  test("a document that is longer than its manifest says is cut off", async () => {
    const { origin, reloader } = await openAddress()
    origin.files.set("production.json", "x".repeat(1_000_000))
    const { faults } = await reloader.serve()
    expect(faults.get("production")?.message).toMatch(/production\.json: longer than \d+ bytes/)
  })

  test("one that claims to be huge is not even requested", async () => {
    const { origin, reloader } = await openAddress()
    const manifest = JSON.parse(origin.files.get("manifest.json") ?? "")
    manifest.environments.production.size = 2 ** 40
    origin.files.set("manifest.json", JSON.stringify(manifest))
    expect((await reloader.serve()).faults.get("production")?.message).toMatch("is longer than")
    expect(origin.takeAsked()).toEqual(["manifest.json 200", "staging.json 200"])
  })
})
