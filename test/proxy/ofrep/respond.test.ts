import { describe, expect, test } from "vitest"
import { createEvaluateApp, flagOf, path, read, rule } from "./evaluated-flags.ts"

describe("an error", () => {
  /** The error in the form of OFREP, and in that of `/v1/flags`. */
  const said = (error: string, key: string | undefined, errorCode = "GENERAL", errorDetails = error) => ({
    error,
    ...(key !== undefined && { key }),
    errorCode,
    errorDetails,
  })

  test.each([undefined, "static", "unknown"])("of authentication, with %s", async (key) => {
    const app = await createEvaluateApp()
    for (const authorization of [null, "Bearer guess", `Basic ${app.secret}`]) {
      const { status, body, headers } = await app.evaluate(key, {}, { headers: { authorization } })
      expect({ status, body }).toEqual({ status: 401, body: said("Unauthorized", key) })
      expect(headers.get("www-authenticate")).toBe("Bearer")
      expect(headers.has("x-ratelimit-limit")).toBe(false)
    }
  })

  test.each([undefined, "static", "unknown"])("of a key that may only read, with %s", async (key) => {
    const app = await createEvaluateApp(undefined, { key: { for: "read" } })
    const { status, body } = await app.evaluate(key)
    const details = "This API key is only for reading flags"
    expect({ status, body }).toEqual({ status: 403, body: said("Forbidden", key, "GENERAL", details) })
  })

  test.each([undefined, "static"])("of the rate limit, with %s", async (key) => {
    const app = await createEvaluateApp(undefined, {
      key: { rateLimit: { capacity: 1, refillPerSecond: 0.4 } },
    })
    expect((await app.evaluate(key)).status).toBe(200)
    const { status, body, headers } = await app.evaluate(key)
    expect({ status, body }).toEqual({ status: 429, body: said("Too many requests", key) })
    expect(headers.get("retry-after")).toBe("3")
    expect(headers.get("x-ratelimit-remaining")).toBe("0")
    app.clock.monotonic += 3_000
    expect((await app.evaluate(key)).status).toBe(200)
  })

  test.each([undefined, "static"])("of ours: no snapshot, with %s", async (key) => {
    const app = await createEvaluateApp(undefined, { key: { environment: "staging" } })
    const { status, body, headers } = await app.evaluate(key)
    expect({ status, body }).toEqual({ status: 503, body: said("Service unavailable", key) })
    expect(headers.get("retry-after")).toBe("10")
  })

  test.each([undefined, "static"])("of ours: a failure, with %s", async (key) => {
    const app = await createEvaluateApp()
    Object.defineProperty(app, "generation", { value: undefined })
    const { status, body } = await app.evaluate(key)
    expect({ status, body }).toEqual({ status: 500, body: said("Internal server error", key) })
    expect(app.failures).toHaveLength(1)
  })

  test("of a flag that does not exist", async () => {
    for (const key of ["unknown", "", "__proto__", "zoë/%"]) {
      const { status, body } = await (await createEvaluateApp()).evaluate(key)
      expect({ status, body }).toEqual({ status: 404, body: said("Flag not found", key, "FLAG_NOT_FOUND") })
    }
  })

  test("of a flag's name that cannot be decoded", async () => {
    const response = await (await createEvaluateApp()).ask(`${path}/%E0%A4%A`, { method: "POST" })
    const { status, body } = await read(response)
    expect({ status, body }).toEqual({
      status: 404,
      body: said("Flag not found", "%E0%A4%A", "FLAG_NOT_FOUND"),
    })
  })

  test("of an operator that only the project knows is never a guess", async () => {
    const { status, body } = await (await createEvaluateApp()).evaluate("unknown-operator", { plan: "pro" })
    const details = "Rule by-ourOwn decides by the operator ourOwn, which only the project's own code knows"
    const expected = said("Bad request", "unknown-operator", "GENERAL", details)
    expect({ status, body }).toEqual({ status: 400, body: expected })
  })

  test.each([undefined, "static"])("of a body without a context, with %s", async (key) => {
    const app = await createEvaluateApp()
    const { status, body } = await app.evaluate(key, {}, { body: "[]" })
    const expected = said("Bad request", key, "PARSE_ERROR", "The body is not a JSON object")
    expect({ status, body }).toEqual({ status: 400, body: expected })
    const other = await app.evaluate(key, "ann")
    expect(other.body).toEqual(said("Bad request", key, "INVALID_CONTEXT", "context is not an object"))
    const large = await app.evaluate(key, { groups: Array(1025).fill("a") })
    const excess = "context.groups has 16400 bytes in 1025 entries; the limit is 16384"
    expect({ status: large.status, body: large.body }).toEqual({
      status: 400,
      body: said("Bad request", key, "INVALID_CONTEXT", excess),
    })
  })

  test.each(["GET", "HEAD", "PUT", "OPTIONS"])("of the method %s", async (method) => {
    const { status, headers, body } = await (await createEvaluateApp()).evaluate("static", {}, { method })
    expect(status).toBe(405)
    expect(headers.get("allow")).toBe("POST")
    if (method !== "HEAD") expect(body).toEqual(said("Method not allowed", "static"))
  })
})

describe("the tag of all flags", () => {
  test("follows the answer: a context with a different answer has a different tag", async () => {
    const app = await createEvaluateApp()
    const tag = async (context: Record<string, string>) =>
      (await app.evaluate(undefined, context)).headers.get("etag")
    const free = await tag({ plan: "free" })
    expect(free).toMatch(/^"[0-9a-f]{32}"$/)
    expect(await tag({ plan: "free" })).toBe(free)
    expect(await tag({ plan: "basic" })).toBe(free)
    expect(await tag({ plan: "pro" })).not.toBe(free)
    expect(
      await (await createEvaluateApp()).evaluate(undefined).then(({ headers }) => headers.get("etag")),
    ).toBe(free)
  })

  test("covers the last flag, too: its change is never answered with 304", async () => {
    const flags = (last: string) => [
      ...Array.from({ length: 20 }, (_, at) => flagOf(`flag-${at + 10}`, "string", "as before")),
      flagOf("last", "string", last, [rule("equals", "plan", "pro", "gold")]),
    ]
    const [app, next] = [await createEvaluateApp(flags("blue")), await createEvaluateApp(flags("green"))]
    const etag = (await app.evaluate(undefined)).headers.get("etag")
    const headers = { "if-none-match": etag }
    expect((await app.evaluate(undefined, {}, { headers })).status).toBe(304)
    for (const changed of [
      await app.evaluate(undefined, { plan: "pro" }, { headers }),
      await next.evaluate(undefined, {}, { headers }),
    ]) {
      expect(changed.status).toBe(200)
      expect(changed.headers.get("etag")).not.toBe(etag)
    }
  })

  test.each([
    ["itself", (tag: string) => tag, 304],
    ["weakened by nginx", (tag: string) => `W/${tag}`, 304],
    ["in a list", (tag: string) => `"a", ${tag}, "b"`, 304],
    ["another", () => '"0123456789abcdef0123456789abcdef"', 200],
    ["without quotes", (tag: string) => tag.slice(1, -1), 200],
    ["*, which would be true of any answer", () => "*", 200],
  ])("%s", async (_, header, status) => {
    const app = await createEvaluateApp()
    const first = await app.evaluate(undefined)
    const etag = first.headers.get("etag") ?? ""
    const again = await app.evaluate(undefined, {}, { headers: { "if-none-match": header(etag) } })
    expect(again.status).toBe(status)
    expect(again.text).toBe(status === 304 ? "" : first.text)
    expect(again.headers.get("etag")).toBe(etag)
    expect(again.headers.get("cache-control")).toBe("no-store")
    expect(again.headers.get("x-ratelimit-remaining")).toBe("198")
    expect(again.headers.has("content-length")).toBe(status === 200)
  })
})
