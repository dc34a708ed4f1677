// @module-tag system
// @module-tag long
import { connect } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { expect, onTestFinished, test, vi } from "vitest"
import type { FlagEntry } from "../../../sdk/contract/snapshot.ts"
import { readPage } from "../../docs/pages.ts"
import { createTestClock } from "../events/test-clock.ts"
import { buildFiles, createMapSource, evaluateBucket, flagEntry } from "../fixtures.ts"
import { flagOf, path as flagsPath, rule } from "../ofrep/evaluated-flags.ts"
import { exchange, open, sendWithoutReading } from "../raw-http.ts"
import { makeServedFolder, spawnProxy, startTestProxy } from "../start-proxy.ts"

// The numbers of the table in docs/operating.md, each kept over a socket by a proxy with default options.

const page = readPage("docs/operating.md").text.split("\n## Limits\n\n")[1]?.split("\n\n")[0] ?? ""
const rows = new Map(
  [...page.matchAll(/^\| (\w.*?) +\| (.*?) +\|$/gm)]
    .slice(1)
    .map(([, name = "", value = ""]) => [name, value]),
)

/** The numbers of a row, which must match the pattern. */
function numbersOf(name: string, words: RegExp): readonly number[] {
  const [, ...found] = words.exec(rows.get(name) ?? "") ?? []
  expect(found, `${name}: ${rows.get(name)}`).not.toEqual([])
  return found.map((text) => Number(text.replaceAll(",", "")))
}

test("every limit of the page has a test", () => {
  expect([...rows.keys()]).toEqual([
    "request headers",
    "request body",
    "an attribute of an evaluation",
    "an idle connection (keep-alive)",
    "a client that does not read its response",
    "connections, excluding event streams",
    "event streams",
    "buckets of each kind",
  ])
  expect(rows.get("connections, excluding event streams")).toMatch(/^10,000,/) // ../http-server.test.ts
})

const real = { now: Date.now, monotonicNow: () => performance.now(), random: Math.random }

const kib = 1024
/** A list of 20 MB. */
const large = Array.from({ length: 20 }, (_, at) =>
  flagEntry(`flag-${at + 10}`, 0, false, "x".repeat(1024 * kib)),
)

async function start(flags: readonly FlagEntry[] = [flagEntry("a")]) {
  const started = await startTestProxy({
    snapshots: [createMapSource(buildFiles({ production: flags }))],
    evaluateBucket,
    trustedHops: 1,
    clock: real,
    logsRequests: true,
  })
  const { proxy, secret } = started
  const authorization = `Authorization: Bearer ${secret}`
  return { ...started, port: proxy.port, authorization }
}

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+) /.exec(answer)?.[1])

/** Waits for something that must take from `least` to `most` seconds: one less, or five more, for clocks and a busy machine. */
async function lasts(end: Promise<unknown>, least: number, most = least): Promise<void> {
  const begin = performance.now()
  await end
  const seconds = (performance.now() - begin) / 1000
  expect(seconds).toBeGreaterThan(least - 1)
  expect(seconds).toBeLessThan(most + 5)
}

test("the head of a request has a maximum size", async () => {
  const [size = 0] = numbersOf("request headers", /^(\d+) KiB of request target, names and values/)
  const { port, authorization } = await start()
  const ask = async (length: number) => {
    const fixed = `/v1/flags?Hostx${authorization}Connectionclosex`.length
    const target = `/v1/flags?${"x".repeat(length - fixed)}`
    return statusOf(
      await exchange(
        port,
        `GET ${target} HTTP/1.1\r\nHost: x\r\n${authorization}\r\nConnection: close\r\n\r\n`,
      ),
    )
  }
  expect([await ask(size * kib - 200), await ask(size * kib + 200)]).toEqual([200, 431])
})

test("the head of a request has a maximum number of lines", async () => {
  const [lines = 0] = numbersOf("request headers", /; ([\d,]+) lines;/)
  const { port, authorization } = await start()
  const ask = async (before: number) => {
    const others = ["Host: x", "Connection: close"]
    const fill = Array.from({ length: before - others.length }, () => "a: b")
    return statusOf(
      await exchange(
        port,
        `GET /v1/flags HTTP/1.1\r\n${[...others, ...fill, authorization].join("\r\n")}\r\n\r\n`,
      ),
    )
  }
  expect([await ask(lines - 1), await ask(lines)]).toEqual([200, 431])
})

const evaluation = (authorization: string, address: string, length: number) =>
  `POST ${flagsPath}/a HTTP/1.1\r\nHost: x\r\n${authorization}\r\nX-Forwarded-For: ${address}\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`

test("the body of an evaluation has a maximum size", async () => {
  const [size = 0] = numbersOf("request body", /^ignored, except for an evaluation: (\d+) KiB /)
  const { port, authorization } = await start()
  const ask = async (length: number) =>
    statusOf(await exchange(port, evaluation(authorization, "::1", length) + "{}".padEnd(length)))
  expect([await ask(size * kib), await ask(size * kib + 1)]).toEqual([200, 413])
})

test.each([
  ["an address", 1],
  ["all", 16],
])("the bodies of %s have a size: one more, and one gives way", async (_, addresses) => {
  const [size = 0, all = 0, each = 0] = numbersOf(
    "request body",
    / (\d+) KiB within .*, (\d+) MiB in all, (\d+) MiB per IP address$/,
  )
  const count = ((addresses === 1 ? each : all) * kib) / size
  const { port, authorization } = await start()
  const length = size * kib
  const statuses: number[] = []
  /** All of a body except its last byte; then that. */
  async function hold(address: string): Promise<() => Promise<void>> {
    const socket = connect(port, "127.0.0.1")
    onTestFinished(() => void socket.destroy())
    const closed = new Promise<void>((done) => socket.once("close", () => done()))
    socket.on("error", () => undefined).once("data", (chunk) => statuses.push(statusOf(String(chunk))))
    await new Promise<void>((done) =>
      socket.write(evaluation(authorization, address, length) + "{}".padEnd(length - 1), () => done()),
    )
    return () => {
      if (socket.writable) socket.write(" ")
      return closed
    }
  }
  const address = (at: number) => `192.0.2.${at % addresses}`
  const held = await Promise.all(Array.from({ length: count }, (_, at) => hold(address(at))))
  expect(statuses).toEqual([])
  held.push(await hold(addresses === 1 ? address(0) : "192.0.2.99"))
  await vi.waitFor(() => expect(statuses).toEqual([503]), 4_000)
  await Promise.all(held.map((finish) => finish()))
  expect(statuses.toSorted()).toEqual([...Array(count).fill(200), 503])
})

test.each([
  ["percentage", "targetingKey", "50", "bytes"],
  ["contains", "email", "@", "KiB"],
  ["equals", "plan", "pro", "KiB"],
])("what rules compare by %s has a size", async (operator, attribute, value, unit) => {
  const { text } = readPage("docs/openfeature.md")
  expect(rows.get("an attribute of an evaluation")).toMatch("](openfeature.md#requests)")
  const row = new RegExp(`^\\| .*\`${operator}\`.* (\\d+) ${unit} +\\|$`, "m").exec(text)
  const size = Number(row?.[1]) * (unit === "KiB" ? kib : 1)
  expect(rows.get("an attribute of an evaluation")).toMatch(`${row?.[1]} ${unit}`)
  const { port, authorization } = await start([
    flagOf("a", "boolean", false, [rule(operator, attribute, value, true)]),
  ])
  const ask = async (length: number) => {
    const body = JSON.stringify({ context: { [attribute]: "x".repeat(length) } })
    return exchange(port, evaluation(authorization, "::1", body.length) + body)
  }
  expect(statusOf(await ask(size))).toBe(200)
  const refused = await ask(size + 1)
  expect(statusOf(refused)).toBe(400)
  expect(refused).toMatch('"errorCode":"INVALID_CONTEXT"')
  expect(refused).toMatch(attribute)
})

const slow = { tags: ["slow"], timeout: 240_000 }

test("a head, a body, an idle connection and an unread answer end in time", slow, async () => {
  const [head = 0] = numbersOf("request headers", / within (\d+) s$/)
  const [body = 0] = numbersOf("request body", / within (\d+) s,/)
  const [idle = 0] = numbersOf("an idle connection (keep-alive)", /^(\d+) s$/)
  const [silence = 0, most = 0] = numbersOf("a client that does not read its response", /^(\d+) to (\d+) s$/)
  const { port, authorization, lines } = await start(large)
  const idler = await open(port)
  await idler.ask("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n")
  const leave = sendWithoutReading(port, `GET /v1/flags HTTP/1.1\r\nHost: x\r\n${authorization}\r\n\r\n`)
  onTestFinished(leave)
  const isCut = () => lines.some(({ route, cut }) => route === "/v1/flags" && cut === true)
  const timedOut = async (bytes: string) => expect(statusOf(await exchange(port, bytes))).toBe(408)
  await Promise.all([
    lasts(timedOut("GET /livez HTTP/1.1\r\nHost: x\r\n"), head),
    lasts(timedOut(`${evaluation(authorization, "::1", 10)}{`), body),
    lasts(idler.closed, idle),
    lasts(vi.waitUntil(isCut, { timeout: 1_000 * (most + 20), interval: 200 }), silence, most),
  ])
})

/** The answers to streams that are opened one after the other, each from its own address, and stay open. */
async function listenFrom(port: number, authorization: string, addresses: readonly string[]) {
  const ask = (address: string) =>
    new Promise<number>((done) => {
      const socket = connect(port, "127.0.0.1")
      onTestFinished(() => void socket.destroy())
      socket.once("data", (chunk) => done(statusOf(String(chunk)))).once("error", () => done(Number.NaN))
      socket.write(
        `GET /v1/events HTTP/1.1\r\nHost: x\r\n${authorization}\r\nX-Forwarded-For: ${address}\r\n\r\n`,
      )
    })
  const statuses: number[] = []
  for (let at = 0; at < addresses.length; at += 100)
    statuses.push(...(await Promise.all(addresses.slice(at, at + 100).map(ask))))
  return statuses
}

test("an address has a maximum number of event streams", async () => {
  const [most = 0] = numbersOf("event streams", /, ([\d,]+) per IP address; /)
  const { port, authorization } = await start()
  expect(await listenFrom(port, authorization, Array(most).fill("2001:db8::1"))).toEqual(
    Array(most).fill(200),
  )
  expect(await listenFrom(port, authorization, ["2001:db8::2", "2001:db8:1::1"])).toEqual([503, 200])
})

test("there is a maximum number of event streams in all", slow, async () => {
  const [most = 0] = numbersOf("event streams", /^([\d,]+) in all/)
  const { folder, keyFile, secret } = makeServedFolder()
  const proxy = spawnProxy(folder, keyFile, ["--trust-proxy", "1"])
  const { port } = new URL(await proxy.started())
  const addresses = Array.from(
    { length: most + 1 },
    (_, at) => `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`,
  )
  const statuses = await listenFrom(Number(port), `Authorization: Bearer ${secret}`, addresses)
  expect(statuses).toEqual([...Array(most).fill(200), 503])
})

test("an event stream has a maximum duration", async () => {
  const [shortest = 0, longest = 0, shortestOfPage = 0, longestOfPage = 0, unread] = numbersOf(
    "event streams",
    /; each open for (\d+) to (\d+) minutes, or (\d+) to (\d+) hours for a page; at most (\d+) KiB unread$/,
  )
  expect(unread).toBe(64) // which ../events/event-streams.test.ts has
  for (const [random, isPage, life] of [
    [0, false, shortest * 60_000],
    [1 - 1e-12, false, longest * 60_000],
    [0, true, shortestOfPage * 3_600_000],
    [1 - 1e-12, true, longestOfPage * 3_600_000],
  ] as const) {
    const clock = createTestClock(() => random)
    const { proxy, secret } = await startTestProxy({ clock, schedule: clock.schedule, evaluateBucket })
    const headers = { authorization: `Bearer ${secret}` }
    const all = await fetch(`${proxy.url}/ofrep/v1/evaluate/flags`, { method: "POST", headers })
    const { eventStreams } = JSON.parse(await all.text())
    const path = isPage ? eventStreams[0].endpoint.requestUri : "/v1/events"
    const { body } = await fetch(proxy.url + path, { headers })
    let isOver = false
    const read = async (): Promise<void> => {
      for await (const _ of body ?? []) isOver = false
      isOver = true
    }
    void read()
    clock.pass(life - 1_000)
    await sleep(50)
    expect(isOver).toBe(false)
    clock.pass(1_000)
    await vi.waitFor(() => expect(isOver).toBe(true))
  }
}, 60_000)

test("a thousand slow readers of 400 KB share one copy, and get the whole document", slow, async () => {
  const flags = Array.from({ length: 400 }, (_, at) =>
    flagEntry(`flag-${at + 100}`, 0, false, "x".repeat(730)),
  )
  const { folder, keyFile, secret } = makeServedFolder(buildFiles({ production: flags }))
  const proxy = spawnProxy(folder, keyFile)
  const port = Number(new URL(await proxy.started()).port)
  const head = `GET /v1/flags HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\nConnection: close\r\n\r\n`
  for (let warm = 0; warm < 50; warm++) await exchange(port, head)
  const { length } = await exchange(port, head)
  expect(length).toBeGreaterThan(390_000)

  /** Reads one piece of its answer, then another whenever it is told to. */
  function read() {
    const socket = connect(port, "127.0.0.1", () => socket.write(head))
    onTestFinished(() => void socket.destroy())
    const reader = { socket, got: 0, isSlow: true }
    socket.on("data", (chunk) => {
      reader.got += chunk.length
      if (reader.isSlow) socket.pause()
    })
    return reader
  }
  const readers: ReturnType<typeof read>[] = []
  // All at once, they are more than the kernel lets wait for a proxy that is busy.
  while (readers.length < 1_000) {
    readers.push(...Array.from({ length: 100 }, read))
    await vi.waitUntil(() => readers.every(({ got }) => got > 0), { timeout: 60_000, interval: 20 })
  }
  expect(readers.filter(({ got }) => got === length)).toEqual([])
  expect(proxy.memory()).toBeLessThan(250) // MB; a copy for each would be 400 MB
  for (const reader of readers) {
    reader.isSlow = false
    reader.socket.resume()
  }
  await vi.waitUntil(() => readers.every(({ got }) => got === length), { timeout: 60_000, interval: 200 })
})

test("a bucket is forgotten when the maximum number of others are newer", slow, async () => {
  const [most = 0] = numbersOf("buckets of each kind", /^([\d,]+)$/)
  const { proxy } = await startTestProxy({ trustedHops: 1 })
  const addressAt = (at: number) => `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`
  /** The statuses that strangers from these addresses get, in turn on one connection. */
  const ask = async (addresses: readonly string[]) => {
    const requests = addresses.map(
      (address, at) =>
        `GET /v1/flags HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\n${at === addresses.length - 1 ? "Connection: close\r\n" : ""}\r\n`,
    )
    return [...(await exchange(proxy.port, requests.join(""))).matchAll(/HTTP\/1\.1 (\d+) /g)].map(
      ([, status]) => status,
    )
  }
  const first = addressAt(0)
  expect((await ask(Array(101).fill(first))).at(-1)).toBe("429")
  for (let at = 1; at < most; at += 1000)
    await ask(Array.from({ length: Math.min(1000, most - at) }, (_, index) => addressAt(at + index)))
  expect(await ask([first])).toEqual(["429"])
  expect(await ask([addressAt(most), first])).toEqual(["401", "401"])
})
