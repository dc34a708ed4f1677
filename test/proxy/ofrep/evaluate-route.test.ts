import { Readable } from "node:stream"
import { describe, expect, test } from "vitest"
import { createExchange } from "../../../proxy/http/exchange.ts"
import { createMemoryStore } from "../../../proxy/rate-limit/memory-store.ts"
import { buildFiles, createMapGeneration, mintKey } from "../fixtures.ts"
import { createEvaluateApp, evaluatedFlags, path, read } from "./evaluated-flags.ts"

describe("a value", () => {
  test.each([
    ["static", {}, true, "STATIC", "default"],
    ["everybody", {}, true, "STATIC", "by-always"],
    ["team/checkout", { email: "ann@example.com" }, true, "TARGETING_MATCH", "by-endsWith"],
    ["team/checkout", { email: "ann@example.org" }, false, "DEFAULT", "default"],
    ["share", { targetingKey: "ann" }, true, "SPLIT", "by-percentage"],
    ["disabled", {}, false, "DEFAULT", "default"],
    ["unconfigured", {}, "blue", "DEFAULT", "default"],
    ["theme", {}, "grün", "DEFAULT", "default"],
    ["layout", { plan: "pro" }, { columns: 3, ratio: 1 }, "TARGETING_MATCH", "by-equals"],
  ])("of %s in %j is %j, because of %s by %s", async (key, context, value, reason, variant) => {
    const app = await createEvaluateApp()
    const { status, headers, text } = await app.evaluate(key, context)
    const expected = JSON.stringify({ key, value, reason, variant })
    expect({ status, text }).toEqual({ status: 200, text: expected })
    expect(Object.fromEntries(headers)).toEqual({
      "cache-control": "no-store",
      "content-length": String(Buffer.byteLength(expected)),
      "content-type": "application/json",
      "x-ratelimit-limit": "200",
      "x-ratelimit-remaining": "199",
    })
    const { body } = await app.evaluate(undefined, context)
    expect(body.flags.find((item: { key: string }) => item.key === key)).toEqual(JSON.parse(expected))
  })

  test("of all flags comes in their order, and a flag that cannot be evaluated does not hide the others", async () => {
    const { status, body } = await (await createEvaluateApp()).evaluate(undefined, { plan: "pro" })
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(["flags"])
    expect(body.flags.map(({ key }: { key: string }) => key)).toEqual(
      evaluatedFlags.map(({ flag }) => flag.key),
    )
    expect(body.flags.at(-1)).toEqual({
      key: "unknown-operator",
      errorCode: "GENERAL",
      errorDetails: "Rule by-ourOwn decides by the operator ourOwn, which only the project's own code knows",
    })
  })

  test("of no flags is an empty list", async () => {
    expect((await (await createEvaluateApp([])).evaluate(undefined)).text).toBe('{"flags":[]}')
  })

  test("of a number is always of one kind, whichever of its values it is", async () => {
    const app = await createEvaluateApp()
    const said = async (key: string, plan: string) => (await app.evaluate(key, { plan })).text
    expect(await said("count", "free")).toMatch('"value":1,')
    expect(await said("count", "pro")).toMatch('"value":10,')
    expect(await said("ratio", "free")).toMatch('"value":1.0,')
    expect(await said("ratio", "pro")).toMatch('"value":1.5,')
    expect((await app.evaluate(undefined)).text).toMatch('{"key":"ratio","value":1.0,')
    expect(await said("layout", "free")).toMatch('"ratio":1}') // numbers inside JSON stay as they are
  })

  test("is that of the generation that was there when the request came", async () => {
    const app = await createEvaluateApp()
    const { generation } = app
    const response = app.ask(`${path}/static`, { method: "POST" })
    app.generation = await createMapGeneration(buildFiles({ production: [] }))
    expect((await response).status).toBe(200)
    expect(generation).not.toBe(app.generation)
  })
})

describe("an error", () => {
  /** What is said of it in each client's words, and in those of `/v1/flags`. */
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

  test("of a flag that is not there", async () => {
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

  test.each([undefined, "static"])("of a body that says no context, with %s", async (key) => {
    const app = await createEvaluateApp()
    const { status, body } = await app.evaluate(key, {}, { body: "[]" })
    const expected = said("Bad request", key, "PARSE_ERROR", "The body is not a JSON object")
    expect({ status, body }).toEqual({ status: 400, body: expected })
    const other = await app.evaluate(key, "ann")
    expect(other.body).toEqual(said("Bad request", key, "INVALID_CONTEXT", "context is not an object"))
  })

  test.each([undefined, "static"])("of a body that is too long, with %s", async (key) => {
    const app = await createEvaluateApp()
    const bytes = (length: number) => ({ body: JSON.stringify({ context: { x: "y".repeat(length - 20) } }) })
    expect(bytes(100).body).toHaveLength(100)
    expect((await app.evaluate(key, {}, bytes(64 * 1024))).status).toBe(200)
    const { status, body } = await app.evaluate(key, {}, bytes(64 * 1024 + 1))
    expect({ status, body }).toEqual({ status: 413, body: said("Content too large", key) })
    const announced = { headers: { "content-length": "65537" } }
    expect((await app.evaluate(key, {}, announced)).status).toBe(413)
  })

  test.each(["GET", "HEAD", "PUT", "OPTIONS"])("of the method %s", async (method) => {
    const { status, headers, body } = await (await createEvaluateApp()).evaluate("static", {}, { method })
    expect(status).toBe(405)
    expect(headers.get("allow")).toBe("POST")
    if (method !== "HEAD") expect(body).toEqual(said("Method not allowed", "static"))
  })
})

test("the body is read last: without a key, tokens or flags nothing of it is", async () => {
  const rateLimit = { capacity: 1, refillPerSecond: 1 }
  const app = await createEvaluateApp(undefined, { key: { rateLimit } })
  const orphan = mintKey({ id: "orphan", environment: "staging" })
  const other = await createEvaluateApp(undefined, { moreKeys: [orphan.record] })
  await app.evaluate(undefined)
  for (const [{ fetch }, secret, status] of [
    [app, "guess", 401],
    [app, app.secret, 429],
    [other, orphan.secret, 503],
  ] as const) {
    let wasRead = false
    const body = new Readable({
      read() {
        wasRead = true
      },
    })
    const headers = { authorization: `Bearer ${secret}` }
    const request = { method: "POST", path, headers, peer: { remoteAddress: "192.0.2.1" }, body }
    expect((await fetch({ ...request, exchange: createExchange() })).status).toBe(status)
    expect(wasRead).toBe(false)
  }
})

describe("keys", () => {
  test("come in X-API-Key, too, where there is no Authorization", async () => {
    const app = await createEvaluateApp()
    const ask = async (headers: Record<string, string | null>) =>
      (await app.evaluate("static", {}, { headers })).status
    expect(await ask({ authorization: null, "x-api-key": app.secret })).toBe(200)
    expect(await ask({ authorization: null, "x-api-key": "guess" })).toBe(401)
    expect(await ask({ authorization: null, "x-api-key": `${app.secret}, ${app.secret}` })).toBe(401)
    expect(await ask({ authorization: "Bearer guess", "x-api-key": app.secret })).toBe(401)
    expect(await ask({ "x-api-key": "guess" })).toBe(200)
  })

  test("do not come so to /v1/flags", async () => {
    const app = await createEvaluateApp()
    const headers = { authorization: null, "x-api-key": app.secret }
    expect((await app.ask("/v1/flags", { headers })).status).toBe(401)
  })

  test("have a bucket for each client address: one browser cannot empty another's, nor the one for reading", async () => {
    const app = await createEvaluateApp(undefined, {
      key: { rateLimit: { capacity: 2, refillPerSecond: 1 } },
    })
    const from = async (ip: string) => (await app.evaluate(undefined, {}, { ip })).status
    expect([await from("192.0.2.1"), await from("192.0.2.1"), await from("192.0.2.1")]).toEqual([
      200, 200, 429,
    ])
    expect(await from("192.0.2.2")).toBe(200)
    expect(await from("2001:db8::1")).toBe(200)
    expect(await from("2001:db8::2")).toBe(200)
    expect(await from("2001:db8::3")).toBe(429) // one subscriber has the whole /64
    expect((await app.ask("/v1/flags")).headers.get("x-ratelimit-remaining")).toBe("1")
  })

  test("of two ids never share a bucket", async () => {
    const other = mintKey({ id: "other" })
    const app = await createEvaluateApp(undefined, { moreKeys: [other.record] })
    await app.evaluate(undefined)
    const headers = { authorization: `Bearer ${other.secret}` }
    const { headers: answered } = await app.evaluate(undefined, {}, { headers })
    expect(answered.get("x-ratelimit-remaining")).toBe("199")
  })

  test("wait for buckets that lie elsewhere", async () => {
    const local = createMemoryStore(10)
    const evaluateLimits = {
      take: async (id: string, bucket: { capacity: number; refillPerSecond: number }, now: number) =>
        local.take(id, bucket, now),
    }
    const app = await createEvaluateApp(undefined, { evaluateLimits })
    expect((await app.evaluate("static")).headers.get("x-ratelimit-remaining")).toBe("199")
  })
})

describe("the tag of all flags", () => {
  test("is of what is answered: another context with another answer has another", async () => {
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

  test("is not there for one flag, which is always answered", async () => {
    const app = await createEvaluateApp()
    const { status, headers } = await app.evaluate("static", {}, { headers: { "if-none-match": "*" } })
    expect(status).toBe(200)
    expect(headers.has("etag")).toBe(false)
  })
})

test("nothing else is there, not even what older versions of OFREP had", async () => {
  const app = await createEvaluateApp()
  for (const target of ["/ofrep", "/ofrep/v1/configuration", `${path}s`, "/ofrep/v1/evaluate", `//${path}`]) {
    const { status, body } = await read(await app.ask(target, { method: "POST" }))
    expect({ status, body }).toEqual({ status: 404, body: { error: "Not found" } })
  }
})
