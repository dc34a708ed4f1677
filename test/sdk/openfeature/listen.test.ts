import { expect, test } from "vitest"
import { followDocument } from "../../../sdk/openfeature/follow-document.ts"
import { readRemoteOptions } from "../../../sdk/openfeature/options.ts"
import { evaluatedFlags } from "../../proxy/ofrep/evaluated-flags.ts"
import { answer, createTestWorld, type TestWorld, unreachable } from "./test-world.ts"

const tagOf = (count: number) => String(count).padStart(32, "0")

/** A provider's follower, and a proxy that announces changes when a test says so. */
async function follow(options: { readonly pollInterval?: number; readonly events?: boolean } = {}) {
  const heard: string[] = []
  const streams: ReadableStreamDefaultController<Uint8Array>[] = []
  const proxy = {
    flags: [...evaluatedFlags],
    isProxy: true,
    /** Answers clients that want to listen; `undefined`: with a stream. */
    refuse: undefined as TestWorld["respond"] | undefined,
  }
  const world = createTestWorld(async (url, { headers, signal }) => {
    if (url.endsWith("/v1/events")) {
      if (proxy.refuse !== undefined) return proxy.refuse(url, { signal: signal ?? null })
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          streams.push(controller)
          controller.enqueue(Buffer.from(`retry: 2000\nid: ${tagOf(proxy.flags.length)}\n\n`))
          signal?.addEventListener("abort", () => controller.error(signal.reason))
        },
      })
      return new Response(body, { headers: { "content-type": "text/event-stream" } })
    }
    const etag = `"${tagOf(proxy.flags.length)}-br"`
    const all = { etag, ...(proxy.isProxy && { "x-ratelimit-limit": "100" }) }
    return new Headers(headers).get("if-none-match") === etag
      ? new Response(null, { status: 304, headers: all })
      : new Response(JSON.stringify({ flags: proxy.flags }), { headers: all })
  })
  const config = readRemoteOptions({ url: "http://proxy.example/team", ...options })
  const follower = followDocument(config, world, {
    onReady: () => heard.push("ready"),
    onChanged: (keys) => heard.push(`changed ${keys}`),
    onStale: () => heard.push("stale"),
    onRefused: () => {},
    onWarning: () => undefined,
  })
  expect(await follower.start()).toBeUndefined()
  await world.settled()
  const say = (text: string) => streams.at(-1)?.enqueue(Buffer.from(text))
  return {
    heard,
    streams,
    proxy,
    world,
    follower,
    say,
    /** Serves one flag less, and announces it. */
    change() {
      proxy.flags.pop()
      const tag = tagOf(proxy.flags.length)
      say(`id: ${tag}\nevent: change\ndata: {"etag":"\\"${tag}\\""}\n\n`)
    },
    /** Lets time pass on a stream that gets its comments. */
    async pass(milliseconds: number) {
      for (let left = milliseconds; left > 0; left -= 20_000) {
        await world.pass(Math.min(left, 20_000))
        if (left > 20_000) say(":\n\n")
      }
    },
    looks: () => world.sent.map(({ at }) => at / 1000),
  }
}

test("asks when it is told, and every five minutes while it listens", async () => {
  const { heard, world, change, pass, looks, follower } = await follow()
  expect(world.opened.map(({ url }) => url)).toEqual(["http://proxy.example/team/v1/events"])
  expect(world.opened[0]?.headers.get("last-event-id")).toBe(`"${tagOf(evaluatedFlags.length)}-br"`)
  await pass(100_000)
  expect(looks()).toEqual([0])
  change()
  await world.settled()
  expect(looks()).toEqual([0, 100])
  expect(heard).toEqual([`changed ${evaluatedFlags.at(-1)?.flag.key}`])
  await pass(300_000)
  expect(looks()).toEqual([0, 100, 400])
  expect(heard.length).toBe(1)
  await follower.stop()
  await world.settled()
  expect(world.waiting).toBe(0)
})

test("asks once for several changes at once, and not for what it has", async () => {
  const { world, change, say, looks, proxy } = await follow()
  change()
  change()
  await world.settled()
  expect(looks()).toEqual([0, 0])
  say(`id: ${tagOf(proxy.flags.length)}\ndata: {}\n\n`)
  say("event: something else\n\n")
  await world.settled()
  expect(looks().length).toBe(2)
})

test("a change that arrives in pieces is one", async () => {
  const { world, say, looks } = await follow()
  for (const letter of `id: ${tagOf(1)}\r\ndata: {}\r\n\r\n`) say(letter)
  await world.settled()
  expect(looks()).toEqual([0, 0])
})

test("reconnects soon after a stream's end, with the tag that it has", async () => {
  const { world, streams, pass, change } = await follow()
  await pass(60_000)
  change()
  await world.settled()
  streams.at(-1)?.close()
  await world.settled()
  expect(world.opened.length).toBe(1)
  await world.pass(2_000)
  expect(world.opened.length).toBe(2)
  expect(world.opened[1]?.headers.get("last-event-id")).toMatch(tagOf(evaluatedFlags.length - 1))
})

test("polls every 30 s while it cannot listen, and tries to listen at growing intervals", async () => {
  const { world, streams, proxy, looks, pass, heard } = await follow()
  await pass(60_000)
  proxy.refuse = unreachable
  streams.at(-1)?.error(new Error("reset"))
  await world.pass(130_000)
  expect(looks()).toEqual([0, 90, 120, 150, 180])
  expect(world.opened.map(({ at }) => Math.round(at / 1000))).toEqual([0, 62, 63, 65, 69, 77, 93, 125, 185])
  proxy.refuse = undefined
  await world.pass(60_000)
  await pass(200_000)
  expect(looks().length).toBeLessThanOrEqual(7)
  expect(heard).toEqual([])
})

test.each([
  ["a key that is revoked", 401, 300],
  ["a proxy without events", 404, 300],
  ["no room, and when to reconnect", 503, 600],
])("asks no more than it should: %s", async (_, status, seconds) => {
  const { world, streams, proxy, pass } = await follow()
  await pass(60_000)
  proxy.refuse = answer(status, status === 503 ? { "retry-after": "545" } : {})
  streams.at(-1)?.close()
  await world.pass(2_000)
  const before = world.opened.length
  await world.pass((seconds - 10) * 1000)
  expect(world.opened.length).toBe(before)
  await world.pass(20_000)
  expect(world.opened.length).toBe(before + 1)
})

test("a connection that is silent for a minute is dead", async () => {
  const { world, pass, streams } = await follow()
  await pass(100_000) // the last comment came 20 s before
  await world.pass(39_000)
  expect(streams.length).toBe(1)
  await world.pass(4_000)
  expect(streams.length).toBe(2)
})

test("a stream that something in between holds back does not count as listening", async () => {
  const { world, proxy, streams, looks, pass } = await follow()
  await pass(20_000)
  proxy.refuse = async () =>
    new Response(new ReadableStream(), { headers: { "content-type": "text/event-stream" } })
  streams.at(-1)?.error(new Error("reset"))
  await world.pass(120_000)
  expect(looks().length).toBeGreaterThanOrEqual(4)
})

test("polls until it has the announced document, and stops if that was taken back or it listens again", async () => {
  const { say, looks, pass, proxy, streams, change } = await follow()
  const told = (count: number) => say(`id: ${tagOf(count)}\ndata: {}\n\n`)
  told(1)
  await pass(70_000)
  expect(looks()).toEqual([0, 0, 30, 60])
  told(proxy.flags.length)
  await pass(80_000)
  expect(looks().length).toBe(5) // the one that was planned
  change()
  await pass(80_000)
  expect(looks().length).toBe(6)
  told(1)
  await pass(10_000)
  streams.at(-1)?.close()
  await pass(100_000)
  expect([streams.length, looks().length]).toEqual([2, 7])
})

test("a client that is told of a change and refused asks again when Retry-After has passed", async () => {
  const { world, heard, change, looks, pass } = await follow()
  const { respond } = world
  const refuse = answer(429, { "retry-after": "2" })
  world.respond = (url, init) => (url.endsWith("events") ? respond : refuse)(url, init)
  change()
  await pass(1_000)
  world.respond = respond
  change()
  await pass(1_000)
  expect(looks()).toEqual([0, 0])
  await pass(1_000)
  expect(looks()).toEqual([0, 0, 2.2])
  expect(heard.length).toBe(1)
})

test("a client that is told of a change asks immediately, even if the last answer did not come", async () => {
  const { world, change, looks, pass } = await follow()
  const { respond } = world
  world.respond = async (url, init) => (url.endsWith("events") ? respond : unreachable)(url, init)
  change()
  await pass(1_000)
  world.respond = respond
  change()
  await pass(1_000)
  expect(looks()).toEqual([0, 0, 1])
})

test("a change that cannot be fetched makes the flags stale in time", async () => {
  const { world, heard, say, pass } = await follow()
  const { respond } = world
  world.respond = async (url, init) => (url.endsWith("events") ? respond(url, init) : unreachable(url, init))
  say(`id: ${tagOf(1)}\ndata: {}\n\n`)
  await pass(120_000)
  expect(heard).toEqual(["stale"])
  world.respond = respond
  await pass(300_000)
  expect(heard).toEqual(["stale", "ready"])
})

test("never listens if events are off", async () => {
  const { world, looks } = await follow({ events: false })
  await world.pass(60_000)
  expect(world.opened).toEqual([])
  expect(looks()).toEqual([0, 30, 60])
})
