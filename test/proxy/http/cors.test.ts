import { describe, expect, test } from "vitest"
import { createTestApp } from "../test-app.ts"

const preflight = { "access-control-request-method": "GET", authorization: null }

test("is off by default", async () => {
  const app = await createTestApp()
  const response = await app.ask("/v1/flags", { headers: { origin: "https://shop.example" } })
  expect([...response.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([])
  expect(response.headers.get("vary")).toBe("Authorization, Accept-Encoding")
  const headers = { ...preflight, origin: "https://shop.example" }
  expect((await app.ask("/v1/flags", { method: "OPTIONS", headers })).status).toBe(405)
})

describe("with a list of origins", () => {
  const corsOrigins = ["https://shop.example", "http://localhost:5173"]

  test("lets those read answers, including errors", async () => {
    const app = await createTestApp({ corsOrigins })
    for (const [path, authorization, status] of [
      ["/v1/flags", `Bearer ${app.secret}`, 200],
      ["/v1/flags/unknown", `Bearer ${app.secret}`, 404],
      ["/v1/flags", "Bearer guess", 401],
    ] as const) {
      const response = await app.ask(path, { headers: { authorization, origin: "http://localhost:5173" } })
      expect(response.status).toBe(status)
      expect(response.headers.get("access-control-allow-origin")).toBe("http://localhost:5173")
      expect(response.headers.get("access-control-expose-headers")).toBe(
        "ETag, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining",
      )
      expect(response.headers.get("vary")).toMatch(/Origin$/)
    }
  })

  test.each([null, "https://evil.example", "https://shop.example.evil.example", "HTTPS://SHOP.EXAMPLE"])(
    "says nothing to %s, but that it depends on who asks",
    async (origin) => {
      const app = await createTestApp({ corsOrigins })
      const response = await app.ask("/v1/flags", { headers: { origin } })
      expect(response.headers.has("access-control-allow-origin")).toBe(false)
      expect(response.headers.get("vary")).toBe("Authorization, Accept-Encoding, Origin")
      const refused = await app.ask("/v1/flags", { method: "OPTIONS", headers: { ...preflight, origin } })
      expect(refused.status).toBe(405)
    },
  )

  test("answers a preflight without a key", async () => {
    const app = await createTestApp({ corsOrigins })
    const headers = { ...preflight, origin: "https://shop.example" }
    const response = await app.ask("/v1/flags/dark.mode", { method: "OPTIONS", headers })
    expect(response.status).toBe(204)
    expect(await response.text()).toBe("")
    expect(response.headers.get("access-control-allow-origin")).toBe("https://shop.example")
    expect(response.headers.get("access-control-allow-methods")).toBe("GET, HEAD")
    expect(response.headers.get("access-control-allow-headers")).toBe(
      "Authorization, If-None-Match, Last-Event-ID",
    )
    expect((await app.ask("/nowhere", { method: "OPTIONS", headers })).status).toBe(404)
  })
})

describe("a page that has flags evaluated", () => {
  const path = "/ofrep/v1/evaluate/flags"
  const headers = { ...preflight, "access-control-request-method": "POST", origin: "https://shop.example" }

  test.each([path, `${path}/dark.mode`])(
    "may send these headers to %s, by name: `*` never includes Authorization",
    async (target) => {
      const app = await createTestApp({ corsOrigins: ["https://shop.example"] })
      const response = await app.ask(target, { method: "OPTIONS", headers })
      expect(response.status).toBe(204)
      expect(Object.fromEntries(response.headers)).toEqual({
        "access-control-allow-origin": "https://shop.example",
        "access-control-allow-methods": "POST",
        "access-control-allow-headers": "Authorization, Content-Type, If-None-Match, X-API-Key",
        "access-control-max-age": "7200",
        "access-control-expose-headers": "ETag, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining",
        vary: "Access-Control-Request-Method, Access-Control-Request-Headers, Origin",
      })
      const { origin, ...others } = headers
      expect((await app.ask(target, { method: "OPTIONS", headers: others })).status).toBe(405)
      const elsewhere = { ...others, origin: "https://evil.example" }
      expect((await app.ask(target, { method: "OPTIONS", headers: elsewhere })).status).toBe(405)
    },
  )
})

test("* lets every origin read, and does not depend on it", async () => {
  const app = await createTestApp({ corsOrigins: ["*"] })
  const response = await app.ask("/v1/flags", { headers: { origin: "https://anyone.example" } })
  expect(response.headers.get("access-control-allow-origin")).toBe("*")
  expect(response.headers.get("vary")).toBe("Authorization, Accept-Encoding")
})
