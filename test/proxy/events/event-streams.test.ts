import { setImmediate as nextTurn } from "node:timers/promises"
import { expect, test } from "vitest"
import { type Body, createBody, createEventStreams } from "../../../proxy/events/event-streams.ts"
import { createTestClock } from "./test-clock.ts"

/** Streams over a world in which `served` is current, and listeners that record what they receive. */
function create(random?: () => number, most = 10_000, pollInterval = 0) {
  const clock = createTestClock(random)
  const delays: (number | undefined)[] = []
  const onSent = (delay: number | undefined) => void delays.push(delay)
  const streams = createEventStreams({ ...clock, most, pollInterval, onSent })
  const served: { current: string | undefined; until: number } = { current: "one", until: Infinity }
  function listen({ seen, block = "192.0.2.1", stalls = false }: Listening = {}) {
    const heard: string[] = []
    const at: number[] = []
    const client = { state: "listens", buffered: 0, leave: () => stream.cancel() }
    const record = (body: Body): Body => ({
      enqueue(chunk) {
        heard.push(String(chunk))
        at.push(clock.monotonicNow())
        body.enqueue(chunk)
      },
      close() {
        client.state = "ended"
        body.close()
      },
      error() {
        client.state = "dropped"
        body.error()
      },
      get desiredSize() {
        return stalls ? body.desiredSize : Infinity
      },
    })
    const listener = {
      block,
      lifetime: 300_000,
      current: () => (clock.monotonicNow() < served.until ? served.current : undefined),
      keyLife: () => served.until - clock.monotonicNow(),
      format: (tag: string) => `data: ${tag}`,
      buffered: () => client.buffered,
    }
    const stream = createBody((body) => streams.open(record(body), listener, seen))
    return { client, heard, at }
  }
  function serve(tag: string): void {
    served.current = tag
    streams.refresh()
  }
  return { clock, delays, streams, served, listen, serve }
}

interface Listening {
  readonly seen?: string
  readonly block?: string
  readonly stalls?: boolean
}

test("begins with the retry delay and the id, and sends a comment every 20 s", () => {
  const { clock, listen } = create()
  const { heard, at } = listen()
  clock.pass(60_000)
  expect(heard).toEqual(["retry: 3000\nid: one\n\n", ":\n\n", ":\n\n", ":\n\n"])
  expect(at).toEqual([0, 20_000, 40_000, 60_000])
})

test("has its client come back after 1 to 5 s, so that not all come back at once", () => {
  const firsts = [0, 0.5, 0.9999].map((random) => create(() => random).listen().heard[0])
  expect(firsts).toEqual([1000, 3000, 5000].map((retry) => `retry: ${retry}\nid: one\n\n`))
})

test("tells an outdated listener immediately, and a current one nothing", () => {
  const { delays, listen } = create()
  expect(listen({ seen: "zero" }).heard[1]).toBe("id: one\ndata: one\n\n")
  expect(delays).toEqual([undefined])
  expect(listen({ seen: "one" }).heard).toHaveLength(1)
})

test("tells what is served when the event is sent, once, and nothing if it was taken back or is the same", () => {
  const { clock, delays, listen, serve } = create(() => 0.999)
  const heard = Array.from({ length: 100 }, () => listen().heard)
  serve("two")
  expect(heard[0]).toHaveLength(1)
  clock.pass(10)
  serve("three")
  clock.pass(10)
  expect(heard.map(([, told]) => told)).toEqual(Array(100).fill("id: three\ndata: three\n\n"))
  expect(delays).toEqual(Array(100).fill(expect.closeTo(20, 0)))
  serve("four")
  serve("three")
  clock.pass(1_000)
  serve("three")
  clock.pass(1_000)
  expect(heard[0]).toHaveLength(2)
})

test("repeats it after two poll intervals and 30 s later, for clients that asked a proxy that did not have it", () => {
  const { clock, delays, listen, serve } = create(() => 0, 100, 10_000)
  const { heard, at } = listen()
  serve("two")
  clock.pass(4_000)
  serve("three")
  clock.pass(200_000)
  const events = heard
    .map((text, index) => [at[index], text] as const)
    .filter(([, text]) => text.includes("data"))
  const three = "id: three\ndata: three\n\n"
  expect(events.map(([, text]) => text)).toEqual(["id: two\ndata: two\n\n", three, three, three])
  expect(events.map(([time = 0]) => Math.round(time / 1000))).toEqual([0, 4, 24, 54])
  expect(delays.length).toBe(2)
})

test("tells 10,000 within two seconds, evenly, and 1,000 in a tenth of that", () => {
  let count = 0
  const { clock, listen, serve } = create(() => (count++ % 10_000) / 10_000)
  const listeners = Array.from({ length: 10_000 }, (_, at) => listen({ block: String(at) }))
  const before = clock.monotonicNow()
  serve("two")
  clock.pass(2_000)
  const told = listeners.map(({ at }) => (at[1] ?? Infinity) - before).sort((one, other) => one - other)
  expect(told.at(-1)).toBeLessThan(2_000)
  expect(told[5_000]).toBeGreaterThan(900)
  expect(told[5_000]).toBeLessThan(1_100)

  const few = create(() => 0.999)
  const others = Array.from({ length: 1_000 }, () => few.listen())
  few.serve("two")
  few.clock.pass(200)
  expect(others.every(({ heard }) => heard.length === 2)).toBe(true)
}, 60_000)

test("ends after five minutes, a fifth more or less", async () => {
  for (const [random, life] of [
    [0, 240_000],
    [0.5, 300_000],
  ] as const) {
    const { clock, listen, streams } = create(() => random)
    const { client } = listen()
    clock.pass(life - 1)
    expect(client.state).toBe("listens")
    clock.pass(1)
    expect(client.state).toBe("ended")
    await nextTurn()
    expect([streams.size, clock.waiting]).toEqual([0, 0])
  }
})

test("ends immediately if a reload forbids its key to listen, and within 20 s if only the clock does", () => {
  const { clock, listen, served, streams } = create()
  const revoked = listen().client
  served.current = undefined
  streams.refresh()
  expect(revoked.state).toBe("ended")
  served.current = "one"
  const expired = listen().client
  served.current = undefined // as if the system's clock had been set
  clock.pass(20_000)
  expect(expired.state).toBe("ended")
})

test.each([
  { what: "with its key", until: 8_000, moved: undefined, end: 8_000 },
  { what: "with a key that a reload ends sooner", until: 200_000, moved: 8_000, end: 8_000 },
  { what: "with a key that a reload ends later", until: 8_000, moved: 30_000, end: 30_000 },
  { what: "by itself where a reload has its key stay", until: 8_000, moved: Infinity, end: 300_000 },
  { what: "by itself before a key that ends in years", until: 2 ** 40, moved: 2 ** 50, end: 300_000 },
])("ends on time $what", ({ until, moved, end }) => {
  const { clock, listen, served, streams } = create()
  served.until = until
  const { client } = listen()
  clock.pass(1_000)
  if (moved !== undefined) {
    served.until = moved
    streams.refresh()
  }
  clock.pass(end - 1_001)
  expect(client.state).toBe("listens")
  clock.pass(1)
  expect([client.state, streams.size]).toEqual(["ended", 0])
})

test("ends all streams immediately when the proxy stops, and lets none begin", async () => {
  const { clock, listen, streams } = create()
  const { client } = listen()
  streams.end()
  expect(client.state).toBe("ended")
  expect(streams.hasRoom("192.0.2.9", 1)).toBe(false)
  expect(listen().client.state).toBe("ended")
  await nextTurn()
  expect(clock.waiting).toBe(0)
})

test.each([
  ["here", 0, 65],
  ["in Node's buffers", 64 * 1024 - 1, 1],
  ["in both", 32 * 1024, 33],
])(
  "drops a client that reads nothing when 64 KiB wait for it %s, and writes no more",
  (_, buffered, most) => {
    const { clock, listen, serve, streams } = create(() => 0.5)
    const { client, heard } = listen({ stalls: true })
    client.buffered = buffered
    for (let at = 0; client.state === "listens" && at < 1_000; at++) {
      serve(String(at).padEnd(500)) // named twice
      clock.pass(10)
    }
    expect(client.state).toBe("dropped")
    expect(heard.length).toBeLessThanOrEqual(1 + most)
    expect(heard.length).toBeGreaterThanOrEqual(most)
    clock.pass(120_000)
    expect([streams.size, clock.waiting]).toEqual([0, 0])
  },
)

test("has limits in all, for pages, and of 100 for an address block", async () => {
  const { listen, streams } = create(undefined, 200)
  const listeners = Array.from({ length: 99 }, () => listen())
  expect(streams.hasRoom("192.0.2.1", 1)).toBe(true)
  listeners.push(listen())
  expect(streams.hasRoom("192.0.2.1", 1)).toBe(false)
  expect(streams.hasRoom("192.0.2.2", 1)).toBe(true)
  expect(streams.hasRoom("192.0.2.2", 0.5)).toBe(false)
  await listeners[0]?.client.leave()
  expect(streams.hasRoom("192.0.2.1", 1)).toBe(true)
  for (let at = 0; at < 101; at++) listen({ block: String(at) })
  expect(streams.hasRoom("192.0.2.2", 1)).toBe(false)
})

test("nothing is written after the end, which a client that reads nothing does not receive", () => {
  const { clock, listen, serve, streams } = create()
  const { heard } = listen({ stalls: true })
  serve("two")
  streams.end()
  clock.pass(100_000)
  streams.refresh()
  expect(heard).toEqual(["retry: 3000\nid: one\n\n"])
})

test("a client that disconnects leaves nothing behind", async () => {
  const { clock, listen, serve, streams } = create()
  const { client, heard } = listen()
  serve("two")
  await client.leave()
  clock.pass(1_000)
  expect(heard).toHaveLength(1)
  expect([streams.size, clock.waiting]).toEqual([0, 0])
})

test("asks in turns what is served to each after a reload, so that other requests are answered meanwhile", () => {
  const clock = createTestClock()
  let worked = 0
  let asked = 0
  const monotonicNow = () => clock.monotonicNow() + worked
  const streams = createEventStreams({ ...clock, monotonicNow, most: 100, pollInterval: 0, onSent: () => {} })
  const served = { current: "one" }
  const current = (): string => {
    asked++
    worked += 4 // milliseconds, as for a key with many globs
    return served.current
  }
  const heard: string[] = []
  for (let at = 0; at < 10; at++)
    createBody((body) =>
      streams.open(
        { ...body, desiredSize: 1, enqueue: (chunk) => void heard.push(String(chunk)) },
        {
          ...{ block: "192.0.2.1", lifetime: 300_000, current, keyLife: () => 300_000 },
          ...{ format: (tag) => `data: ${tag}`, buffered: () => 0 },
        },
        undefined,
      ),
    )
  asked = 0
  served.current = "two"
  streams.refresh()
  expect(asked).toBe(2)
  served.current = "three"
  streams.refresh() // begins again, and the first walk ends
  expect(asked).toBe(4)
  clock.pass(1_000)
  expect(heard.filter((text) => text.includes("data"))).toEqual(Array(10).fill("id: three\ndata: three\n\n"))
  expect(asked).toBe(2 + 10 + 10)
})

test("ends the stream of a key that has expired before the reload", () => {
  const { clock, listen, served, streams } = create()
  const { client } = listen()
  served.until = -1
  clock.pass(1)
  streams.refresh()
  expect(client.state).toBe("ended")
})
