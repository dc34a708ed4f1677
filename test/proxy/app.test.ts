import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { errorBody, headerValue } from "./arbitrary-requests.ts"
import { buildFiles, shop } from "./fixtures.ts"
import { createTestApp } from "./test-app.ts"

describe("the list", () => {
  test("is the snapshot file, byte for byte", async () => {
    const app = await createTestApp()
    const response = await app.ask("/v1/flags")
    expect(response.status).toBe(200)
    expect(await response.text()).toBe(buildFiles({ production: shop }).get("production.json"))
    expect(Object.fromEntries(response.headers)).toEqual({
      "cache-control": "private, no-cache",
      "content-length": String(Buffer.byteLength(`${JSON.stringify({ flags: shop })}\n`)),
      "content-type": "application/json",
      etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
      vary: "Authorization, Accept-Encoding",
      "x-ratelimit-limit": "100",
      "x-ratelimit-remaining": "99",
    })
  })

  test("ignores a query", async () => {
    const app = await createTestApp()
    expect((await app.ask("/v1/flags?environment=staging&__proto__=1")).status).toBe(200)
  })
})

describe("a single flag", () => {
  test.each([
    ["dark.mode", "dark.mode"],
    ["dark%2Emode", "dark.mode"],
    ["dark.mode?x=%E0%A4%A", "dark.mode"],
    ["a/b", "a/b"],
    ["a%2Fb", "a/b"],
    ["a%2fb", "a/b"],
    ["%61/b", "a/b"],
  ])("/v1/flags/%s is %s", async (path, key) => {
    const app = await createTestApp()
    const response = await app.ask(`/v1/flags/${path}`)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual(shop.find(({ flag }) => flag.key === key))
  })

  test.each(["unknown", "", "/", "a", "a%252Fb", "x".repeat(10_000)])("%s is no flag", async (path) => {
    const app = await createTestApp()
    const response = await app.ask(`/v1/flags/${path}`)
    expect(response.status).toBe(404)
    expect(await response.text()).toBe('{"error":"Flag not found"}')
    expect(response.headers.get("cache-control")).toBe("no-store")
    expect(response.headers.get("x-ratelimit-remaining")).toBe("99")
    expect(app.failures).toEqual([])
  })
})

describe("routes and methods", () => {
  test.each([
    "/",
    "/v1",
    "/v1/",
    "/v2/flags",
    "/v1/flagsx",
    "/V1/flags",
    "//v1/flags",
    "/livez/",
    "/metrics",
    "/%E0%A4%A",
  ])("%s is no route, key or not", async (path) => {
    const app = await createTestApp()
    for (const authorization of [`Bearer ${app.secret}`, null]) {
      const response = await app.ask(path, { headers: { authorization } })
      expect(response.status).toBe(404)
      expect(await response.text()).toBe('{"error":"Not found"}')
    }
  })

  test.each(["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"])(
    "%s is not allowed",
    async (method) => {
      const app = await createTestApp()
      for (const path of ["/v1/flags", "/v1/flags/dark.mode", "/livez", "/readyz"]) {
        const response = await app.ask(path, { method, headers: { authorization: null } })
        expect(response.status).toBe(405)
        expect(response.headers.get("allow")).toBe("GET, HEAD")
        expect(await response.text()).toBe('{"error":"Method not allowed"}')
      }
      expect((await app.ask("/nowhere", { method })).status).toBe(404)
    },
  )

  test.each(["/v1/flags", "/v1/flags/dark.mode", "/v1/flags/unknown", "/livez", "/nowhere"])(
    "HEAD %s is GET without the body",
    async (path) => {
      const get = await (await createTestApp()).ask(path)
      const head = await (await createTestApp()).ask(path, { method: "HEAD" })
      expect(head.status).toBe(get.status)
      expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(get.headers))
      expect(Number(head.headers.get("content-length"))).toBe((await get.arrayBuffer()).byteLength)
      expect(await head.text()).toBe("")
    },
  )
})

describe("our own faults", () => {
  test("a key whose environment has no snapshot gets 503, never 401 or 404", async () => {
    const app = await createTestApp({ key: { environment: "__proto__" } })
    for (const path of ["/v1/flags", "/v1/flags/dark.mode"]) {
      const response = await app.ask(path)
      expect(response.status).toBe(503)
      expect(await response.text()).toBe('{"error":"Service unavailable"}')
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0)
      expect(response.headers.get("x-ratelimit-limit")).toBe("100")
    }
  })

  test("an unexpected failure is 500 without details", async () => {
    const app = await createTestApp()
    Object.defineProperty(app, "generation", {
      get() {
        throw new TypeError("secret detail")
      },
    })
    const response = await app.ask("/v1/flags")
    expect(response.status).toBe(500)
    expect(response.headers.get("cache-control")).toBe("no-store")
    expect(await response.text()).toBe('{"error":"Internal server error"}')
    expect(app.failures).toEqual([new TypeError("secret detail")])
  })
})

describe("health", () => {
  test("needs no key and no bucket", async () => {
    const app = await createTestApp()
    for (const path of ["/livez", "/readyz"]) {
      const response = await app.ask(path, { headers: { authorization: null } })
      expect(response.status).toBe(200)
      expect(response.headers.get("cache-control")).toBe("no-store")
      expect(response.headers.has("x-ratelimit-limit")).toBe(false)
    }
  })

  test("not ready is 503, and alive is still alive", async () => {
    const app = await createTestApp()
    app.isReady = false
    const response = await app.ask("/readyz")
    expect(response.status).toBe(503)
    expect(await response.text()).toBe('{"error":"Service unavailable"}')
    expect((await app.ask("/livez")).status).toBe(200)
    expect((await app.ask("/v1/flags")).status).toBe(200)
  })
})

test("whatever is sent, the answer is one of ours and echoes nothing", async () => {
  const app = await createTestApp()
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.webPath(), fc.string({ unit: "grapheme" })),
      fc.constantFrom("GET", "HEAD", "POST", "OPTIONS", "DELETE"),
      fc.dictionary(
        fc.constantFrom("authorization", "if-none-match", "accept-encoding", "origin", "x-forwarded-for"),
        headerValue,
      ),
      async (path, method, headers) => {
        const marker = "fLaGsToNe"
        const response = await app.ask(`/v1/flags/${encodeURI(path.toWellFormed())}${marker}`, {
          method,
          headers,
        })
        expect(response.status).toBeLessThan(500)
        const body = await response.text()
        if (body !== "") expect(body).toMatch(errorBody)
        expect(JSON.stringify([...response.headers])).not.toContain(marker)
      },
    ),
    { numRuns: 300 },
  )
  expect(app.failures).toEqual([])
})
