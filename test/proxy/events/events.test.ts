// @module-tag system
import { setTimeout as sleep } from "node:timers/promises"
import { expect, test, vi } from "vitest"
import type { ProxyConfig } from "../../../proxy/serve.ts"
import { buildFiles, createKeySource, flagEntry, mintKey, shop } from "../fixtures.ts"
import { startTestProxy } from "../start-proxy.ts"
import { createTestClock } from "./test-clock.ts"

/** A proxy, and a client that listens to it. */
async function start(changes: Partial<ProxyConfig> = {}) {
  const clock = createTestClock()
  const started = await startTestProxy({ clock, schedule: clock.schedule, trustedHops: 1, ...changes })
  const { proxy, files, secret } = started
  async function listen(headers: Readonly<Record<string, string>> = {}) {
    const response = await fetch(`${proxy.url}/v1/events`, {
      headers: { authorization: `Bearer ${secret}`, ...headers },
    })
    const stream = { response, heard: "", isOver: false }
    const read = async (): Promise<void> => {
      for await (const chunk of response.body ?? []) stream.heard += Buffer.from(chunk).toString()
    }
    void read()
      .catch(() => undefined)
      .finally(() => {
        stream.isOver = true
      })
    return stream
  }
  async function serve(environment: string, name: string): Promise<void> {
    for (const [file, text] of buildFiles({ production: shop, [environment]: [...shop, flagEntry(name)] }))
      files.set(file, text)
    await proxy.reload()
    clock.pass(3_000)
  }
  const tag = async () => (await started.get("/v1/flags")).headers.get("etag")?.slice(1, 33)
  return { ...started, clock, listen, serve, tag }
}

test("announces only the document that is already served", async () => {
  const { listen, serve, tag, get } = await start()
  const stream = await listen()
  expect(Object.fromEntries(stream.response.headers)).toMatchObject({
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
    "x-ratelimit-limit": "1000",
    "x-ratelimit-remaining": "999",
  })
  const first = await tag()
  await vi.waitFor(() => expect(stream.heard).toBe(`retry: 3000\nid: ${first}\n\n`))
  await serve("staging", "other")
  await serve("production", "zebra")
  const second = await tag()
  expect(second).not.toBe(first)
  const event = `id: ${second}\nevent: change\ndata: {"etag":"\\"${second}\\""}\n\n`
  await vi.waitFor(() => expect(stream.heard).toBe(`retry: 3000\nid: ${first}\n\n${event}`))
  expect(
    (await get("/v1/flags", { "if-none-match": `"${second}"`, "accept-encoding": "identity" })).status,
  ).toBe(304)
})

test("a client that was away is told immediately, and only if there is something new, in whichever form it names what it has", async () => {
  const { listen, serve, tag } = await start()
  const current = await tag()
  const forms = [current, `"${current}"`, `W/"${current}"`, `"${current}-br"`]
  const upToDate = await Promise.all(forms.map((has) => listen({ "last-event-id": String(has) })))
  for (const has of ["0".repeat(32), "nonsense"]) {
    const stream = await listen({ "last-event-id": has })
    await vi.waitFor(() => expect(stream.heard).toMatch(`id: ${current}\nevent: change\n`))
  }
  await serve("production", "zebra")
  const next = await tag()
  const event = `id: ${next}\nevent: change\ndata: {"etag":"\\"${next}\\""}\n\n`
  for (const stream of upToDate)
    await vi.waitFor(() => expect(stream.heard).toBe(`retry: 3000\nid: ${current}\n\n${event}`))
})

test("clients that start at once take one token each for document and stream, and no one opens streams without end", async () => {
  const fleet = mintKey({ id: "fleet", rateLimit: { capacity: 3, refillPerSecond: 1 } })
  const { listen, get } = await start({ keys: createKeySource([fleet.record]) })
  const headers = { authorization: `Bearer ${fleet.secret}` }
  const started: number[][] = []
  for (let client = 0; client < 4; client++)
    started.push([(await get("/v1/flags", headers)).status, (await listen(headers)).response.status])
  expect(started).toEqual([...Array(3).fill([200, 200]), [429, 429]])
})

test("a stream costs a token, needs a key that may read, and a snapshot", async () => {
  const poor = mintKey({ id: "poor", rateLimit: { capacity: 1, refillPerSecond: 1 } })
  const page = mintKey({ id: "page", for: "evaluate" })
  const orphan = mintKey({ id: "orphan", environment: "nowhere" })
  const { listen } = await start({ keys: createKeySource([poor.record, page.record, orphan.record]) })
  const statusWith = async (secret: string) =>
    (await listen({ authorization: `Bearer ${secret}` })).response.status
  expect([await statusWith(poor.secret), await statusWith(poor.secret)]).toEqual([200, 429])
  expect(await statusWith(page.secret)).toBe(403)
  expect(await statusWith(orphan.secret)).toBe(503)
  expect(await statusWith("x")).toBe(401)
})

test("a stream ends when its key is revoked, and immediately when the proxy drains", async () => {
  const other = mintKey({ id: "other" })
  const web = mintKey()
  const keys = [web.record, other.record]
  const { listen, proxy, clock } = await start({ keys: createKeySource(keys), drainDelay: 200 })
  const [revoked, kept] = [
    await listen({ authorization: `Bearer ${web.secret}` }),
    await listen({ authorization: `Bearer ${other.secret}` }),
  ]
  keys[0] = { ...web.record, revokedAt: clock.now() }
  await proxy.reload()
  await vi.waitFor(() => expect([revoked.isOver, kept.isOver]).toEqual([true, false]))
  const stopped = proxy.stop()
  await vi.waitFor(() => expect(kept.isOver).toBe(true), 150)
  expect((await listen({ authorization: `Bearer ${other.secret}` })).response.status).toBe(503)
  await stopped
})

test.each(["expiresAt", "revokedAt"])("a stream ends the moment its key does: %s", async (member) => {
  const web = mintKey()
  const keys = [web.record]
  const { listen, proxy, clock } = await start({ keys: createKeySource(keys) })
  const endIn = async (delay: number): Promise<void> => {
    keys[0] = { ...web.record, [member]: clock.now() + delay }
    await proxy.reload()
  }
  const authorization = `Bearer ${web.secret}`
  await endIn(8_000)
  const stream = await listen({ authorization })
  await endIn(12_000)
  clock.pass(9_000)
  await endIn(1_000)
  clock.pass(999)
  await sleep(20)
  expect(stream.isOver).toBe(false)
  clock.pass(1)
  await vi.waitFor(() => expect(stream.isOver).toBe(true))
  expect((await listen({ authorization })).response.status).toBe(401)
})

test("the total number is limited, and zero allows none", async () => {
  const { listen, admin } = await start({ eventStreams: 2, adminPort: 0 })
  const streams = [await listen(), await listen(), await listen()]
  expect(streams.map(({ response }) => response.status)).toEqual([200, 200, 503])
  expect(streams[2]?.response.headers.get("retry-after")).toBe("10")
  expect((await admin("/metrics")).text).toMatch("flagstone_event_streams_refused_total 1\n")
  const none = await start({ eventStreams: 0 })
  expect((await none.listen()).response.status).toBe(404)
})

test("counts events and listeners, logs the template, and mistakes no stream for a slow or cut-off answer", async () => {
  const { listen, serve, admin, lines, proxy } = await start({ adminPort: 0, logsRequests: true })
  const stream = await listen()
  await serve("production", "zebra")
  await vi.waitFor(() => expect(stream.heard).toMatch("event: change"))
  const during = (await admin("/metrics")).text
  await stream.response.body?.cancel().catch(() => undefined)
  await Promise.all([
    proxy.stop(),
    vi.waitFor(() => expect(lines.some(({ route }) => route === "/v1/events")).toBe(true)),
  ])
  for (const line of [
    "flagstone_event_streams 1",
    "flagstone_events_sent_total 1",
    "flagstone_event_delay_seconds_count 1",
    'flagstone_event_delay_seconds_bucket{le="0.01"} 1',
  ])
    expect(during).toContain(`${line}\n`)
  expect(lines.find(({ route }) => route === "/v1/events")).toMatchObject({ status: 200, key: "web" })
})
