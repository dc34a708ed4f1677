import { describe, expect, test, vi } from "vitest"
import { createTickets } from "../../../proxy/events/tickets.ts"
import { mintKey } from "../fixtures.ts"
import { createEvaluateApp, flagOf, path, read, rule } from "./evaluated-flags.ts"

test("the body is read last: without a key, tokens or flags, not at all", async () => {
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
    const pull = () => {
      wasRead = true
    }
    const request = new Request(`http://localhost${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${secret}` },
      body: new ReadableStream({ pull }, { highWaterMark: 0 }),
      duplex: "half",
    } as RequestInit)
    expect((await fetch(Object.assign(request, { ip: "192.0.2.1" }))).status).toBe(status)
    expect(wasRead).toBe(false)
  }
})

test("the operators of the environment's flags limit the context: a share 256 bytes, an expression 1 KiB", async () => {
  const flags = [
    flagOf("agents", "boolean", false, [
      rule("all", "", '[{"attribute":"agent","operator":"notMatches","value":"bot"}]', true),
    ]),
    flagOf("disabled", "boolean", false, [rule("percentage", "note", "10", true)], { enabled: false }),
    flagOf("people", "boolean", false, [rule("percentage", "id", "10", true)]),
  ]
  const app = await createEvaluateApp(flags)
  const ask = async (attribute: string, bytes: number) => {
    const { status, body } = await app.evaluate(undefined, { [attribute]: "x".repeat(bytes) })
    return [status, body.errorCode, body.errorDetails]
  }
  expect(await ask("id", 256)).toEqual([200, undefined, undefined])
  expect(await ask("id", 257)).toEqual([400, "INVALID_CONTEXT", "context.id has 257 bytes; the limit is 256"])
  expect(await ask("agent", 1024)).toEqual([200, undefined, undefined])
  expect(await ask("agent", 1025)).toEqual([
    400,
    "INVALID_CONTEXT",
    "context.agent has 1025 bytes; the limit is 1024",
  ])
  expect(await ask("note", 16_384)).toEqual([200, undefined, undefined])
})

describe("keys", () => {
  test("may come in X-API-Key, too, without Authorization", async () => {
    const app = await createEvaluateApp()
    const ask = async (headers: Record<string, string | null>) =>
      (await app.evaluate("static", {}, { headers })).status
    expect(await ask({ authorization: null, "x-api-key": app.secret })).toBe(200)
    expect(await ask({ authorization: null, "x-api-key": "guess" })).toBe(401)
    expect(await ask({ authorization: null, "x-api-key": `${app.secret}, ${app.secret}` })).toBe(401)
    expect(await ask({ authorization: "Bearer guess", "x-api-key": app.secret })).toBe(401)
    expect(await ask({ "x-api-key": "guess" })).toBe(200)
  })

  test("may not for /v1/flags", async () => {
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
})

test("a ticket is signed only for the answer that has it: the one with all flags", async () => {
  const tickets = createTickets("a secret")
  const issue = vi.spyOn(tickets, "issue")
  const neverAsked = {
    answer: () => {
      throw new Error("no one listens")
    },
  }
  const app = await createEvaluateApp(undefined, { ofrepEvents: { tickets, events: neverAsked } })
  expect((await app.evaluate("static")).status).toBe(200)
  expect((await app.evaluate("no-such-flag")).status).toBe(404)
  expect((await app.evaluate(undefined, [])).status).toBe(400)
  expect(issue).not.toHaveBeenCalled()
  expect((await app.evaluate(undefined)).body.eventStreams).toHaveLength(1)
  expect(issue).toHaveBeenCalledOnce()
})

test("nothing else exists, not even what older versions of OFREP had", async () => {
  const app = await createEvaluateApp()
  for (const target of ["/ofrep", "/ofrep/v1/configuration", `${path}s`, "/ofrep/v1/evaluate", `//${path}`]) {
    const { status, body } = await read(await app.ask(target, { method: "POST" }))
    expect({ status, body }).toEqual({ status: 404, body: { error: "Not found" } })
  }
})
