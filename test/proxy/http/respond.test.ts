import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { describe, expect, test } from "vitest"
import { createTestApp } from "../test-app.ts"

const paths = ["/v1/flags", "/v1/flags/dark.mode", "/v1/flags/many-rules"]

describe.each(paths)("%s", (path) => {
  test("with its own ETag is 304 with the headers that caches need and no body", async () => {
    const app = await createTestApp()
    const etag = (await app.ask(path)).headers.get("etag")
    for (const method of ["GET", "HEAD"]) {
      const response = await app.ask(path, { method, headers: { "if-none-match": etag } })
      expect(response.status).toBe(304)
      expect(await response.text()).toBe("")
      expect(Object.fromEntries(response.headers)).toEqual({
        "cache-control": "private, no-cache",
        etag,
        vary: "Authorization, Accept-Encoding",
        "x-ratelimit-limit": "100",
        "x-ratelimit-remaining": expect.any(String),
      })
    }
  })

  test("another representation's ETag does not match", async () => {
    const app = await createTestApp()
    const response = await app.ask(path, {
      headers: { "if-none-match": '"0123456789abcdef0123456789abcdef"' },
    })
    expect(response.status).toBe(200)
  })
})

test("the ETag follows the content, not the flag or the environment", async () => {
  const app = await createTestApp()
  const tags = new Set<string | null>()
  for (const path of paths)
    for (const encoding of ["identity", "gzip", "br"])
      tags.add((await app.ask(path, { headers: { "accept-encoding": encoding } })).headers.get("etag"))
  expect(tags.size).toBe(7) // dark.mode is under 1 KiB and has identity alone
})

test("no flag and no key are not found and denied, whatever If-None-Match says", async () => {
  const app = await createTestApp()
  expect((await app.ask("/v1/flags/unknown", { headers: { "if-none-match": "*" } })).status).toBe(404)
  expect(
    (await app.ask("/v1/flags", { headers: { "if-none-match": "*", authorization: null } })).status,
  ).toBe(401)
})

describe("encodings", () => {
  test.each([
    ["gzip", gunzipSync],
    ["br", brotliDecompressSync],
  ] as const)("%s carries the same bytes", async (encoding, decompress) => {
    const app = await createTestApp()
    for (const path of ["/v1/flags", "/v1/flags/many-rules"]) {
      const plain = Buffer.from(await (await app.ask(path)).arrayBuffer())
      const response = await app.ask(path, { headers: { "accept-encoding": encoding } })
      const body = Buffer.from(await response.arrayBuffer())
      expect(response.headers.get("content-encoding")).toBe(encoding)
      expect(response.headers.get("content-length")).toBe(String(body.length))
      expect(response.headers.get("etag")).toMatch(new RegExp(`^"[0-9a-f]{32}-${encoding}"$`))
      expect(decompress(body)).toEqual(plain)
      expect(body.length).toBeLessThan(plain.length)
    }
  })

  test("a small body stays identity, even for a client that refuses that", async () => {
    const app = await createTestApp()
    for (const accept of ["gzip, br", "gzip, identity;q=0", "*;q=0"]) {
      const response = await app.ask("/v1/flags/dark.mode", { headers: { "accept-encoding": accept } })
      expect(response.status).toBe(200)
      expect(response.headers.has("content-encoding")).toBe(false)
    }
  })
})
