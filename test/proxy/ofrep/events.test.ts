// @module-tag system
import { expect, test, vi } from "vitest"
import type { ProxyConfig } from "../../../proxy/serve.ts"
import type { FlagEntry } from "../../../sdk/contract/snapshot.ts"
import { createTestClock } from "../events/test-clock.ts"
import { buildFiles, createKeySource, mintKey, wallClock } from "../fixtures.ts"
import { startTestProxy } from "../start-proxy.ts"
import { evaluatedFlags, flagOf, path } from "./evaluated-flags.ts"

const page = mintKey({ id: "page", for: "evaluate" })
const hour = 3_600_000

/** A proxy that evaluates, and a page that asks it. */
async function start(changes: Partial<ProxyConfig> = {}) {
  const clock = createTestClock()
  const keys = [page.record, mintKey().record]
  const started = await startTestProxy({
    clock,
    schedule: clock.schedule,
    evaluateBucket: { capacity: 1000, refillPerSecond: 1 },
    keys: createKeySource(keys),
    trustedHops: 1,
    logsRequests: true,
    adminPort: 0,
    ...changes,
  })
  const { proxy, files } = started
  const ask = (target: string, headers = {}, method = "POST") =>
    fetch(proxy.url + target, { method, headers: { authorization: `Bearer ${page.secret}`, ...headers } })
  async function evaluate(headers = {}) {
    const response = await ask(path, headers)
    const text = await response.text()
    const body = text === "" ? undefined : JSON.parse(text)
    return {
      status: response.status,
      etag: response.headers.get("etag") ?? "",
      body,
      address: String(body?.eventStreams?.[0]?.endpoint.requestUri),
    }
  }
  async function listen(target: string, headers: Readonly<Record<string, string>> = {}) {
    const response = await fetch(proxy.url + target, { headers })
    const stream = { response, heard: "" }
    const read = async (): Promise<void> => {
      for await (const chunk of response.body ?? []) stream.heard += Buffer.from(chunk).toString()
    }
    void read().catch(() => undefined)
    return stream
  }
  async function serve(flags: readonly FlagEntry[]): Promise<void> {
    for (const [file, text] of buildFiles({ production: flags })) files.set(file, text)
    await proxy.reload()
    clock.pass(3_000)
  }
  await serve(evaluatedFlags)
  return { ...started, clock, keys, ask, evaluate, listen, serve }
}

test("all flags come with an address to listen to, which is in the tag and the same for an hour", async () => {
  const { evaluate, clock } = await start()
  const first = await evaluate()
  expect(first.body.eventStreams).toEqual([
    {
      type: "sse",
      endpoint: {
        requestUri: expect.stringMatching(
          /^\/ofrep\/v1\/events\?ticket=page\.\d+\.[\w-]{43}&seen=[0-9a-f]{32}$/,
        ),
      },
      inactivityDelaySec: 120,
    },
  ])
  expect(first.body.metadata).toEqual({
    flagSetId: "shop/production",
    version: expect.stringMatching(/^[0-9a-f]{32}$/),
  })
  clock.pass(hour - 5_000)
  expect((await evaluate({ "if-none-match": first.etag })).status).toBe(304)
  clock.pass(5_000)
  const second = await evaluate({ "if-none-match": first.etag })
  expect(second.status).toBe(200)
  expect(second.address).not.toBe(first.address)
  expect(second.body.flags).toEqual(first.body.flags)
})

test("announces what flags evaluate to, and not what only readers see", async () => {
  const { evaluate, listen, serve } = await start()
  const stream = await listen((await evaluate()).address)
  expect(Object.fromEntries(stream.response.headers)).toMatchObject({
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  })
  await serve(
    evaluatedFlags.map(({ flag, environment }) => ({
      flag: { ...flag, description: "In other words.", updatedAt: "2026-12-24T00:00:00.000Z" },
      environment,
    })),
  )
  await vi.waitFor(() => expect(stream.heard).toMatch(/^retry: 3000\nid: [0-9a-f]{32}\n\n$/))
  const others = evaluatedFlags.filter(({ flag }) => flag.key !== "static")
  await serve([...others, flagOf("static", "boolean", false)].sort(byKey))
  await vi.waitFor(() => expect(stream.heard).toMatch("data"))
  const [, id, etag] =
    /\n\nid: (\w+)\ndata: \{"type":"refetchEvaluation","etag":"\\"(\w+)\\""\}\n\n$/.exec(stream.heard) ?? []
  expect(id).toBe(etag)
  const last = await evaluate()
  expect(last.address).toMatch(`seen=${id}`)
  const late = await listen(last.address)
  await vi.waitFor(() => expect(late.heard).toMatch("retry"))
  expect(late.heard).not.toMatch("data")
})

test("announces only flags that the page's key may evaluate", async () => {
  const limited = mintKey({ id: "limited", for: "evaluate", flags: ["s*"] })
  const { evaluate, listen, serve } = await start({ keys: createKeySource([limited.record]) })
  const { address } = await evaluate({ authorization: `Bearer ${limited.secret}` })
  const stream = await listen(address)
  const others = evaluatedFlags.filter(({ flag }) => flag.key !== "theme")
  await serve(others)
  const late = await listen(address)
  await vi.waitFor(() => expect(late.heard).toMatch("retry"))
  expect([stream.heard, late.heard].join()).not.toMatch("data")
  await serve(others.filter(({ flag }) => flag.key !== "static"))
  await vi.waitFor(() => expect(stream.heard).toMatch("data"))
})

test("a listener that begins after a change is told of it", async () => {
  const { evaluate, listen, serve } = await start()
  const { address } = await evaluate()
  await serve(evaluatedFlags.slice(1))
  const stream = await listen(address)
  await vi.waitFor(() => expect(stream.heard).toMatch("refetchEvaluation"))
  const [, id = ""] = /^id: (\w+)\ndata/m.exec(stream.heard) ?? []
  const again = await listen(address, { "last-event-id": id }) // like a browser that reconnects
  await vi.waitFor(() => expect(again.heard).toMatch("retry"))
  expect(again.heard).not.toMatch("data")
})

test("a ticket opens only its stream, for its hour and the next two, and while its key is valid", async () => {
  const { evaluate, listen, ask, clock, keys, proxy, lines, admin } = await start()
  const { address } = await evaluate()
  const ticket = new URL(address, proxy.url).searchParams.get("ticket") ?? ""
  for (const authorization of [`Bearer ${ticket}`, ticket])
    expect([
      (await ask(path, { authorization })).status,
      (await ask("/v1/flags", { authorization }, "GET")).status,
      (await ask("/v1/events", { authorization }, "GET")).status,
    ]).toEqual([401, 401, 401])
  const statusOf = async (target: string) => (await listen(target)).response.status
  expect(await statusOf("/ofrep/v1/events")).toBe(401)
  expect(await statusOf("/ofrep/v1/events?ticket=")).toBe(401)
  expect(await statusOf(`/ofrep/v1/events?ticket=${ticket.replace("page", "web")}`)).toBe(401)
  expect((await ask(address)).status).toBe(405)
  clock.pass(3 * hour - 5_000)
  expect(await statusOf(address)).toBe(200)
  clock.pass(5_000)
  expect(await statusOf(address)).toBe(401)
  const next = await evaluate()
  expect(await statusOf(next.address)).toBe(200)
  keys[0] = { ...page.record, revokedAt: wallClock }
  await proxy.reload()
  expect(await statusOf(next.address)).toBe(401)
  const { text } = await admin("/metrics")
  expect(text).toContain('flagstone_auth_failures_total{reason="ticket"} 3\n')
  expect(text).toContain('flagstone_auth_failures_total{reason="revoked"} 1\n')
  await proxy.stop()
  expect(lines.filter(({ route }) => route === "/ofrep/v1/events").length).toBeGreaterThan(5)
  expect(JSON.stringify(lines)).not.toMatch(ticket.slice(-43))
  expect(JSON.stringify(lines)).not.toMatch("ticket=")
})

test("pages may have nine tenths of all streams, and a stream costs a token", async () => {
  const { evaluate, listen, get, admin } = await start({
    eventStreams: 10,
    keys: createKeySource([page.record]),
  })
  const { address } = await evaluate()
  const streams: Awaited<ReturnType<typeof listen>>[] = []
  for (let at = 0; at < 10; at++) streams.push(await listen(address))
  expect(streams.map(({ response }) => response.status)).toEqual(Array(10).fill(200))
  await vi.waitFor(() =>
    expect(streams.map(({ heard }) => heard.match(/retry: \d+/)?.[0])).toEqual([
      ...Array(9).fill("retry: 3000"),
      "retry: 60000",
    ]),
  )
  expect(streams[9]?.heard).toBe("retry: 60000\n\n")
  expect((await admin("/metrics")).text).toMatch("flagstone_event_streams_refused_total 1\n")
  const { response } = await listen(address, { "x-forwarded-for": "192.0.2.9" })
  expect(response.headers.get("x-ratelimit-remaining")).toBe("999")
  expect((await get("/v1/flags")).status).toBe(401)
})

test("without events there is no address, and nothing but the flags", async () => {
  const { evaluate, listen } = await start({ eventStreams: 0 })
  const { body } = await evaluate()
  expect(Object.keys(body)).toEqual(["flags"])
  expect((await listen("/ofrep/v1/events?ticket=x")).response.status).toBe(404)
})

function byKey(one: FlagEntry, other: FlagEntry): number {
  return one.flag.key < other.flag.key ? -1 : 1
}
