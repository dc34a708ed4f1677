import { describe, expect, test } from "vitest"
import { broken, type Fault, good, type Result, unavailable } from "../../../proxy/reload/fault.ts"
import { createReloader, type Reloader } from "../../../proxy/reload/reloader.ts"
import type { Ask, Source } from "../../../proxy/reload/source.ts"
import { createTestLogger, type TestLogger } from "../fixtures.ts"

/** A reloader of strings whose source, clock and loading belong to the test. */
interface Opened extends TestLogger {
  readonly reloader: Reloader<string>
  readonly clock: { now: number }
  version: Result<string>
  found: Result<string>
  faults: readonly Fault[]
  /** What was read so far. */
  readonly reads: string[]
  /** Waits before it returns its version. */
  gate: Promise<unknown> | undefined
  readonly asked: Ask[]
  /** What was put into the cache so far. */
  readonly written: string[]
  /** Whether the cache cannot be written. */
  isFull: boolean
}

function open(options: { needsTwoLooks?: boolean; cached?: string | Fault } = {}): Opened {
  const clock = { now: 1_000_000 }
  const testLogger = createTestLogger()
  const { needsTwoLooks = false, cached } = options
  const source: Source<string> = {
    location: "a test",
    async version(ask) {
      opened.asked.push(ask)
      await opened.gate
      return opened.version
    },
    async read() {
      if (opened.found.kind === "good") opened.reads.push(opened.found.value)
      return opened.found
    },
    cache:
      cached === undefined
        ? undefined
        : {
            location: "a folder",
            read: async () => (typeof cached === "string" ? good(cached) : cached),
            async write(text) {
              if (opened.isFull) throw new Error("no space")
              opened.written.push(text)
            },
          },
  }
  const reloader = createReloader<string, string>({
    what: "keys",
    source,
    needsTwoLooks,
    load: async (found) => (found === "bad" ? broken("it is bad") : good(found)),
    faultsOf: () => opened.faults,
    isSame: (before, after) => before === after,
    clock: { now: () => clock.now, monotonicNow: () => clock.now, random: () => 0 },
    logger: testLogger.logger,
  })
  const opened: Opened = {
    ...testLogger,
    reloader,
    clock,
    version: good("1"),
    found: good("one"),
    faults: [],
    reads: [],
    gate: undefined,
    asked: [],
    written: [],
    isFull: false,
  }
  return opened
}

const unchanged = { kind: "unchanged" }
const waiting = { kind: "waiting" }
const replaced = { kind: "replaced" }
const refused = (fault: Fault) => ({ kind: "refused", fault })

test("reads what is new, once", async () => {
  const opened = open()
  const { reloader } = opened
  expect(reloader.current).toBe(undefined)
  expect(await reloader.reload(false)).toEqual(replaced)
  expect(await reloader.reload(false)).toEqual(unchanged)
  opened.version = good("2")
  opened.found = good("two")
  expect(await reloader.reload(false)).toEqual(replaced)
  expect({ current: reloader.current, reads: opened.reads }).toEqual({
    current: "two",
    reads: ["one", "two"],
  })
})

test("an unchanged value is neither logged nor counted, unless someone asked for it", async () => {
  const opened = open()
  const { reloader, lines } = opened
  await reloader.reload(false)
  opened.version = good("2")
  expect(await reloader.reload(false)).toEqual(unchanged)
  expect({ lines, replaced: reloader.replaced }).toEqual({ lines: [], replaced: 1 })
  expect(await reloader.reload(true)).toEqual(replaced)
  expect(reloader.replaced).toBe(2)
})

describe("a fault", () => {
  test("leaves the last good value, is counted each time and logged once", async () => {
    const opened = open()
    const { reloader, lines, clock } = opened
    await reloader.reload(false)
    opened.version = good("2")
    opened.found = unavailable("out of reach")
    for (let round = 0; round < 3; round++) {
      expect(await reloader.reload(false)).toEqual(refused(unavailable("out of reach")))
      clock.now += 300_000
    }
    expect(reloader.current).toBe("one")
    expect(reloader).toMatchObject({ refused: 3, fault: { message: "out of reach" }, goodAt: 1_000_000 })
    expect(lines).toMatchObject([{ msg: "keys refused; the last good ones stay", reason: "out of reach" }])
    await reloader.reload(true) // someone asked, and is told again
    expect(lines.length).toBe(2)
    opened.version = good("3")
    opened.found = good("one")
    expect(await reloader.reload(false)).toEqual(unchanged)
    expect(lines.at(-1)).toMatchObject({ msg: "keys can be read again" })
    expect(reloader).toMatchObject({ fault: undefined, goodAt: clock.now })
  })

  test("that comes and goes is logged at most once a minute, and again if it stays; a different one at once", async () => {
    const opened = open()
    const { reloader, clock, lines } = opened
    await reloader.reload(false)
    const told = async (version: Result<string>, after = 1_000) => {
      clock.now += after
      opened.version = version
      const before = lines.length
      await reloader.reload(false)
      return lines.slice(before).map(({ msg, reason }) => reason ?? msg)
    }
    const back = ["keys can be read again"]
    expect(await told(unavailable("503"))).toEqual(["503"])
    expect(await told(good("1"))).toEqual(back)
    for (let round = 0; round < 10; round++) {
      expect(await told(unavailable("503"))).toEqual([])
      expect(await told(good("1"))).toEqual([])
    }
    expect(await told(unavailable("reset"))).toEqual(["reset"])
    expect(await told(good("1"))).toEqual(back)
    expect(await told(unavailable("reset"))).toEqual([])
    expect(await told(unavailable("reset"), 60_000)).toEqual(["reset"])
    expect(await told(good("1"))).toEqual(back)
    opened.found = good("bad")
    expect(await told(good("2"))).toEqual(["it is bad"])
    opened.found = good("one")
    expect(await told(good("1"))).toEqual(back)
    opened.found = good("bad")
    expect(await told(good("2"))).toEqual([])
    expect(await told(good("2"), 60_000)).toEqual(["it is bad"]) // though it is not read again
    opened.found = good("new")
    expect(await told(good("3"))).toEqual(["keys reloaded"])
    opened.found = good("bad")
    expect(await told(good("4"))).toEqual(["it is bad"])
  })

  test("that is broken waits for a new version, one that may pass for its time", async () => {
    const opened = open()
    const { reloader, clock } = opened
    opened.found = broken("no such thing")
    expect(await reloader.reload(false)).toEqual(refused(broken("no such thing")))
    clock.now += 300_000
    expect(await reloader.reload(false)).toEqual(waiting)
    opened.version = good("2")
    opened.found = unavailable("busy")
    expect(await reloader.reload(false)).toEqual(refused(unavailable("busy")))
    expect(await reloader.reload(false)).toEqual(waiting)
    opened.found = good("two")
    clock.now += 500
    expect(await reloader.reload(false)).toEqual(replaced)
  })

  test("of a part is served, and tried again while it may pass", async () => {
    const opened = open()
    const { reloader, clock } = opened
    opened.faults = [broken("a"), unavailable("b")]
    expect(await reloader.reload(false)).toEqual(replaced)
    expect(await reloader.reload(false)).toEqual(waiting)
    clock.now += 500
    opened.faults = [broken("a")]
    expect(await reloader.reload(false)).toEqual(unchanged)
    clock.now += 300_000
    expect(await reloader.reload(false)).toEqual(waiting)
    expect(await reloader.reload(true)).toEqual(replaced)
  })

  test("that no one expected is a fault like the others", async () => {
    const opened = open()
    opened.gate = Promise.reject(new Error("a defect of ours"))
    expect(await opened.reloader.reload(false)).toEqual(refused(unavailable("a defect of ours")))
  })
})

describe("a source that is out of reach", () => {
  test("is asked at growing intervals, immediately when forced, and is as before when it comes back", async () => {
    const opened = open()
    const { reloader, clock, asked, lines } = opened
    await reloader.reload(false)
    opened.version = unavailable("gone")
    expect(await reloader.reload(false)).toEqual(refused(unavailable("gone")))
    clock.now += 499
    expect(await reloader.reload(false)).toEqual(waiting)
    clock.now += 1
    expect(await reloader.reload(false)).toEqual(refused(unavailable("gone")))
    clock.now += 999
    expect(await reloader.reload(false)).toEqual(waiting)
    expect(await reloader.reload(true)).toEqual(refused(unavailable("gone")))
    expect(asked.length).toBe(4)
    opened.version = good("1")
    clock.now += 300_000
    expect(await reloader.reload(false)).toEqual(unchanged)
    expect(lines.at(-1)).toMatchObject({ msg: "keys can be read again" })
    expect(reloader.fault).toBe(undefined)
  })

  test("caches only values that were loaded completely", async () => {
    const opened = open({ cached: "old" })
    opened.faults = [broken("staging.json is not a snapshot")]
    expect(await opened.reloader.reload(true)).toEqual(replaced)
    expect(opened.written).toEqual([])
    opened.version = good("2")
    opened.found = good("two")
    opened.faults = []
    expect(await opened.reloader.reload(false)).toEqual(replaced)
    expect(opened.written).toEqual(["two"])
  })

  test("logs once that its cache cannot be written, and tries again every minute", async () => {
    const opened = open({ cached: "old" })
    const { reloader, clock, lines } = opened
    expect(open().reloader.cacheFault).toBe(undefined)
    opened.isFull = true
    for (const _ of Array(3)) {
      await reloader.reload(true)
      expect(reloader.cacheFault).toBe("cannot write a folder: no space")
    }
    expect(lines.filter(({ level }) => level === 40)).toMatchObject([
      { msg: "keys not kept in the cache", folder: "a folder" },
    ])
    opened.isFull = false
    clock.now += 59_999
    expect(await reloader.reload(false)).toEqual(unchanged)
    expect(opened.written).toEqual([])
    clock.now++
    expect(await reloader.reload(false)).toEqual(unchanged)
    expect({ written: opened.written, fault: reloader.cacheFault }).toEqual({ written: ["one"], fault: null })
    expect(lines.at(-1)).toMatchObject({ msg: "keys kept in the cache again" })
  })

  test("has its cache's value served at the start, and its own as soon as it comes back", async () => {
    const opened = open({ cached: "old" })
    const { reloader, clock, lines } = opened
    opened.version = unavailable("gone")
    expect(await reloader.reload(true)).toEqual(refused(unavailable("gone")))
    expect(reloader).toMatchObject({ current: "old", replaced: 0, goodAt: undefined })
    expect(lines).toMatchObject([{ msg: "keys taken from the cache", reason: "gone" }])
    clock.now += 300_000
    expect(await reloader.reload(false)).toEqual(refused(unavailable("gone")))
    expect(lines.length).toBe(1)
    opened.version = good("1")
    clock.now += 300_000
    expect(await reloader.reload(false)).toEqual(replaced)
    expect(reloader.current).toBe("one")
  })

  test("without a value says why its cache has none", async () => {
    const opened = open({ cached: unavailable("half-written") })
    opened.version = unavailable("gone")
    const why = unavailable("gone; the cache a folder does not help: half-written")
    expect(await opened.reloader.reload(true)).toEqual(refused(why))
    opened.version = good("1")
    await opened.reloader.reload(true)
    opened.version = unavailable("gone")
    expect(await opened.reloader.reload(true)).toEqual(refused(opened.version))
  })

  test("has its cache's value served if its own could be read, but not loaded", async () => {
    const opened = open({ cached: "old" })
    opened.found = good("bad")
    expect(await opened.reloader.reload(true)).toEqual(refused(broken("it is bad")))
    expect(opened.reloader.current).toBe("old")
  })

  test("that comes back with the cached value is used again", async () => {
    const opened = open({ cached: "one" })
    const { reloader } = opened
    opened.version = unavailable("gone")
    await reloader.reload(true)
    opened.version = good("1")
    opened.clock.now += 500
    expect(await reloader.reload(false)).toEqual(replaced)
    expect(reloader).toMatchObject({ current: "one", replaced: 1, fault: undefined })
  })
})

test("two reads find the same before it counts; forced, it counts at once", async () => {
  const opened = open({ needsTwoLooks: true })
  const { reloader } = opened
  expect(await reloader.reload(true)).toEqual(replaced)
  opened.version = good("2")
  opened.found = good("two")
  expect(await reloader.reload(false)).toEqual(waiting)
  opened.version = good("3")
  expect(await reloader.reload(false)).toEqual(waiting)
  expect(await reloader.reload(false)).toEqual(replaced)
  opened.version = good("4")
  opened.found = good("four")
  expect(await reloader.reload(true)).toEqual(replaced)
})

test("reloads take turns, and waiting ones merge into one, forced if one of them is", async () => {
  const opened = open()
  const { reloader } = opened
  let release: (() => void) | undefined
  opened.gate = new Promise<void>((done) => {
    release = done
  })
  const first = reloader.reload(false)
  while (opened.asked.length === 0) await Promise.resolve()
  const others = [reloader.reload(false), reloader.reload(true), reloader.reload(false)]
  release?.()
  expect(await first).toEqual(replaced)
  expect(await Promise.all(others)).toEqual([replaced, replaced, replaced])
  expect(opened.asked.map(({ isForced }) => isForced)).toEqual([false, true])
})

test("a stop gives up work in progress, and nothing is recorded or polled after it", async () => {
  const opened = open()
  const { reloader, lines } = opened
  await reloader.reload(false)
  const timers = countTimers()
  reloader.poll(3_600_000)
  expect(countTimers()).toBe(timers + 1)
  opened.version = unavailable("aborted")
  opened.gate = new Promise<void>((done) => {
    queueMicrotask(() => opened.asked.at(-1)?.signal.addEventListener("abort", () => done()))
  })
  const last = reloader.reload(true)
  await new Promise((done) => setImmediate(done))
  reloader.stop()
  expect(await last).toEqual(waiting)
  expect(countTimers()).toBe(timers)
  expect(await reloader.reload(true)).toEqual(waiting)
  expect({ lines, refused: reloader.refused }).toEqual({ lines: [], refused: 0 })
})

function countTimers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === "Timeout").length
}
