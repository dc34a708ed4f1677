import { Writable } from "node:stream"
import { setImmediate as nextTurn } from "node:timers/promises"
import { expect, test } from "vitest"
import { createEventStreams } from "../../../proxy/events/event-streams.ts"
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
    const sink = new Writable({
      decodeStrings: false,
      write(text, _, done) {
        heard.push(text)
        at.push(clock.monotonicNow())
        if (!stalls) done()
      },
    })
    const listener = {
      block,
      lifetime: 300_000,
      current: () => (clock.monotonicNow() < served.until ? served.current : undefined),
      keyLife: () => served.until - clock.monotonicNow(),
      format: (tag: string) => `data: ${tag}`,
    }
    streams.open(sink, listener, seen)
    return { sink, heard, at }
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
    const { sink } = listen()
    clock.pass(life - 1)
    expect(sink.writableEnded).toBe(false)
    clock.pass(1)
    expect(sink.writableEnded).toBe(true)
    await nextTurn()
    expect([streams.size, clock.waiting]).toEqual([0, 0])
  }
})

test("ends immediately if a reload forbids its key to listen, and within 20 s if only the clock does", () => {
  const { clock, listen, served, streams } = create()
  const revoked = listen().sink
  served.current = undefined
  streams.refresh()
  expect(revoked.writableEnded).toBe(true)
  served.current = "one"
  const expired = listen().sink
  served.current = undefined // as if the system's clock had been set
  clock.pass(20_000)
  expect(expired.writableEnded).toBe(true)
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
  const { sink } = listen()
  clock.pass(1_000)
  if (moved !== undefined) {
    served.until = moved
    streams.refresh()
  }
  clock.pass(end - 1_001)
  expect(sink.writableEnded).toBe(false)
  clock.pass(1)
  expect([sink.writableEnded, streams.size]).toEqual([true, 0])
})

test("ends all streams immediately when the proxy stops, and lets none begin", async () => {
  const { clock, listen, streams } = create()
  const { sink } = listen()
  streams.end()
  expect(sink.writableEnded).toBe(true)
  expect(streams.hasRoom("192.0.2.9", 1)).toBe(false)
  expect(listen().sink.writableEnded).toBe(true)
  await nextTurn()
  expect(clock.waiting).toBe(0)
})

test.each(["an event", "a comment"])(
  "drops a client that reads nothing at 64 KiB, and writes no more: %s",
  async (what) => {
    const { clock, listen, serve, streams } = create(() => 0.5)
    const { sink } = listen({ stalls: true })
    const errors: unknown[] = []
    sink.on("error", (error) => errors.push(error))
    if (what === "a comment") sink.write("x".repeat(64 * 1024))
    for (let at = 0; !sink.destroyed && what === "an event"; at++) {
      expect(sink.writableLength).toBeLessThanOrEqual(64 * 1024)
      serve(String(at).padEnd(1000))
      clock.pass(10)
    }
    clock.pass(20_000)
    expect([sink.destroyed, streams.size, clock.waiting]).toEqual([true, 0, 0])
    clock.pass(100_000)
    await nextTurn()
    expect(errors).toEqual([])
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
  listeners[0]?.sink.destroy()
  await nextTurn()
  expect(streams.hasRoom("192.0.2.1", 1)).toBe(true)
  for (let at = 0; at < 101; at++) listen({ block: String(at) })
  expect(streams.hasRoom("192.0.2.2", 1)).toBe(false)
})

test("nothing is written after the end, which a client that reads nothing does not receive", () => {
  const { clock, listen, serve, streams } = create()
  const { sink, heard } = listen({ stalls: true })
  serve("two")
  sink.on("error", (error) => heard.push(error.message))
  streams.end()
  clock.pass(100_000)
  streams.refresh()
  expect(sink.writableFinished).toBe(false)
  expect(heard).toEqual(["retry: 3000\nid: one\n\n"])
})

test("a client that disconnects leaves nothing behind", async () => {
  const { clock, listen, serve, streams } = create()
  const { sink, heard } = listen()
  serve("two")
  sink.destroy()
  await nextTurn()
  clock.pass(1_000)
  expect(heard).toHaveLength(1)
  expect([streams.size, clock.waiting]).toEqual([0, 0])
})
