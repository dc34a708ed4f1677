import { describe, expect, test } from "vitest"
import type { RateLimitStore } from "../../proxy/rate-limit/memory-store.ts"
import { createMemoryStore } from "../../proxy/rate-limit/memory-store.ts"
import { mintKey } from "./fixtures.ts"
import { createTestApp } from "./test-app.ts"

/** A store that answers with a short delay. */
function createLateStore(): RateLimitStore {
  const store = createMemoryStore(10)
  return { take: async (id, bucket, now) => store.take(id, bucket, now) }
}

test.each([
  ["immediately", createMemoryStore(10)],
  ["later", createLateStore()],
])("a key's bucket, known %s, empties, says for how long, and keeps its word", async (_, keyLimits) => {
  const app = await createTestApp({ keyLimits, key: { rateLimit: { capacity: 3, refillPerSecond: 0.4 } } })
  for (const remaining of ["2", "1", "0"]) {
    const response = await app.ask("/v1/flags")
    expect(response.status).toBe(200)
    expect(response.headers.get("x-ratelimit-limit")).toBe("3")
    expect(response.headers.get("x-ratelimit-remaining")).toBe(remaining)
  }
  const refused = await app.ask("/v1/flags")
  expect(refused.status).toBe(429)
  expect(await refused.text()).toBe('{"error":"Too many requests"}')
  expect(Object.fromEntries(refused.headers)).toEqual({
    "cache-control": "no-store",
    "content-length": "29",
    "content-type": "application/json",
    "retry-after": "3",
    "x-ratelimit-limit": "3",
    "x-ratelimit-remaining": "0",
  })
  app.clock.monotonic += 2_000
  expect((await app.ask("/v1/flags")).headers.get("retry-after")).toBe("1")
  app.clock.monotonic += 1_000
  expect((await app.ask("/v1/flags")).status).toBe(200)
})

describe("an allowance that is known later", () => {
  test("is answered like any other: existing, missing, and our own faults", async () => {
    const app = await createTestApp({ keyLimits: createLateStore() })
    expect((await app.ask("/v1/flags/dark.mode")).status).toBe(200)
    expect((await app.ask("/v1/flags/unknown")).status).toBe(404)
    Object.defineProperty(app, "generation", {
      get() {
        throw new TypeError("secret detail")
      },
    })
    const response = await app.ask("/v1/flags")
    expect(response.status).toBe(500)
    expect(await response.text()).toBe('{"error":"Internal server error"}')
    expect(app.failures).toEqual([new TypeError("secret detail")])
  })

  test("delays no one without a key", async () => {
    const app = await createTestApp({ keyLimits: { take: () => new Promise(() => {}) } })
    expect((await app.ask("/v1/flags", { headers: { authorization: null } })).status).toBe(401)
  })
})

test("404, 304 and HEAD cost a token; a preflight and a wrong method do not", async () => {
  const app = await createTestApp({ corsOrigins: ["https://shop.example"] })
  await app.ask("/v1/flags/unknown")
  await app.ask("/v1/flags", { headers: { "if-none-match": "*" } })
  await app.ask("/v1/flags", { method: "HEAD" })
  await app.ask("/v1/flags", { method: "POST" })
  const asked = {
    origin: "https://shop.example",
    "access-control-request-method": "GET",
    authorization: null,
  }
  expect((await app.ask("/v1/flags", { method: "OPTIONS", headers: asked })).status).toBe(204)
  expect((await app.ask("/v1/flags")).headers.get("x-ratelimit-remaining")).toBe("96")
})

test("each key id has its own bucket, which ignores the wall clock", async () => {
  const other = mintKey({ id: "mobile" })
  const app = await createTestApp({
    moreKeys: [other.record],
    key: { rateLimit: { capacity: 1, refillPerSecond: 1 } },
  })
  expect((await app.ask("/v1/flags")).status).toBe(200)
  app.clock.now += 3_600_000
  expect((await app.ask("/v1/flags")).status).toBe(429)
  const response = await app.ask("/v1/flags", { headers: { authorization: `Bearer ${other.secret}` } })
  expect(response.headers.get("x-ratelimit-limit")).toBe("100")
  expect(response.headers.get("x-ratelimit-remaining")).toBe("99")
})

test("strangers are counted by address, and take nothing from clients with a key", async () => {
  const app = await createTestApp()
  const guess = { headers: { authorization: "Bearer guess" }, ip: "198.51.100.7" }
  for (let count = 0; count < 100; count++) expect((await app.ask("/v1/flags", guess)).status).toBe(401)
  const refused = await app.ask("/v1/flags", guess)
  expect(refused.status).toBe(429)
  expect(refused.headers.get("retry-after")).toBe("1")
  expect(refused.headers.get("x-ratelimit-remaining")).toBe("0")
  expect(await refused.text()).toBe('{"error":"Too many requests"}')
  expect((await app.ask("/v1/flags", { ip: "198.51.100.7" })).headers.get("x-ratelimit-remaining")).toBe("99")
  expect((await app.ask("/v1/flags", { ...guess, ip: "198.51.100.8" })).status).toBe(401)
  app.clock.monotonic += 1_000
  expect((await app.ask("/v1/flags", guess)).status).toBe(401)
})
