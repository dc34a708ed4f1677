// @module-tag system
import type { Server } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import fc from "fast-check"
import { FastResponse } from "srvx"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { createHttpServer } from "../../proxy/http-server.ts"
import type { ProxyConfig } from "../../proxy/serve.ts"
import { anyText } from "../any-text.ts"
import { errorBody, headerValue, token } from "./arbitrary-requests.ts"
import { buildFiles, createKeySource, createMapSource, flagEntry, mintKey, wallClock } from "./fixtures.ts"
import { converse, exchange, sendWithoutReading } from "./raw-http.ts"
import { startTestProxy } from "./start-proxy.ts"
import { createTestApp } from "./test-app.ts"

async function create(maxConnections?: number): Promise<Server> {
  const app = await createTestApp()
  return createHttpServer(app, {
    isDraining: () => false,
    onFailure: (error) => {
      throw error
    },
    maxConnections,
  })
}

test("has the limits of docs/operating.md unless given others, in milliseconds", async () => {
  const { headersTimeout, requestTimeout, timeout, keepAliveTimeout, maxConnections } = await create()
  expect({ headersTimeout, requestTimeout, timeout, keepAliveTimeout, maxConnections }).toEqual({
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    timeout: 60_000,
    keepAliveTimeout: 75_000,
    maxConnections: 10_000,
  })
})

test("closes one connection too many, and accepts one again when another ends", async () => {
  const server = await create(2)
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  onTestFinished(() => void server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo
  const sockets: Socket[] = []
  /** Whether a new connection is answered. */
  const ask = () =>
    new Promise<boolean>((done) => {
      const socket = connect(port, "127.0.0.1", () => socket.write("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n"))
      socket.once("data", () => done(true))
      socket.once("error", () => done(false)).once("close", () => done(false))
      sockets.push(socket)
    })
  expect([await ask(), await ask(), await ask()]).toEqual([true, true, false])
  const freed = new Promise<void>((done) => {
    const check = () => void server.getConnections((_, count) => (count < 2 ? done() : setImmediate(check)))
    check()
  })
  sockets[0]?.destroy()
  await freed
  expect(await ask()).toBe(true)
})

test("an answer that cannot be sent ends its connection alone, and is reported", async () => {
  const failures: unknown[] = []
  const answers: readonly (() => Response | Promise<Response>)[] = [
    () => new FastResponse("", { headers: [["x", "\n"]] }),
    async () => new FastResponse("", { headers: [["x", "\n"]] }),
    () => Promise.reject(new Error("not made")),
    () => {
      throw new Error("not made")
    },
  ]
  let asked = 0
  const server = createHttpServer(
    { fetch: () => answers[asked++]?.() ?? new Response("good") },
    { isDraining: () => false, onFailure: (error) => failures.push(error) },
  )
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  onTestFinished(() => void server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo
  const ask = () => fetch(`http://127.0.0.1:${port}/`).then((answer) => answer.text())
  for (const _ of answers) await expect(ask()).rejects.toThrow("fetch failed")
  expect(await ask()).toBe("good")
  expect(failures.map(String)).toEqual([
    ...Array(2).fill(expect.stringContaining("Invalid character in header")),
    ...Array(2).fill("Error: not made"),
  ])
})

/** Milliseconds that a test can wait for. */
const timeouts = { keepAlive: 40, headers: 40, request: 80, silence: 80, check: 10 }

/** A clock that stands. */
const still = { now: () => wallClock, monotonicNow: () => 0, random: () => 0 }

/** A proxy that shows everything about itself, and whose one key has a large limit. */
async function start(changes: Partial<ProxyConfig> = {}) {
  const { secret, record } = mintKey({ rateLimit: { capacity: 100_000, refillPerSecond: 1000 } })
  const { proxy, lines, admin } = await startTestProxy({
    keys: createKeySource([record]),
    clock: { ...still, monotonicNow: () => performance.now() },
    logsRequests: true,
    adminPort: 0,
    ...changes,
  })
  return { proxy, secret, lines, admin }
}

interface FuzzedRequest {
  readonly target: string
  readonly junk: string
  readonly headers: readonly (readonly [string, string])[]
}

test("whatever bytes are sent, the answer is one of ours", async () => {
  const { proxy, lines } = await start({ timeouts })
  const request = fc.record({
    target: fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString("latin1")),
      token,
    ),
    junk: anyText({ maxLength: 80 }),
    headers: fc.array(fc.tuple(token, headerValue), { maxLength: 5 }),
  })
  const check = async ({ target, junk, headers }: FuzzedRequest): Promise<void> => {
    const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("")
    const said = await exchange(
      proxy.port,
      Buffer.from(`GET /${target}${junk} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${head}\r\n`, "latin1"),
    )
    const [top = "", body = ""] = said.split("\r\n\r\n")
    expect(top).toMatch(/^HTTP\/1\.1 (400|401|404|405|408|429|431) /)
    expect(body.slice(0, Number(/content-length: (\d+)/i.exec(top)?.[1]))).toMatch(errorBody)
  }
  await fc.assert(
    // In parallel, because each waits for its end.
    fc.asyncProperty(fc.array(request, { minLength: 20, maxLength: 20 }), async (requests) => {
      await Promise.all(requests.map(check))
    }),
    { numRuns: 10 },
  )
  expect(lines.filter(({ level }) => Number(level) >= 40)).toEqual([])
})

describe("request smuggling", () => {
  test.each([
    ["a length in words", "Content-Length: five"],
    ["a length with a sign", "Content-Length: +5"],
    ["a list of lengths", "Content-Length: 5, 6"],
    ["a length and chunks", "Content-Length: 5\r\nTransfer-Encoding: chunked"],
    ["chunks that are not last", "Transfer-Encoding: chunked, identity"],
    ["chunks in other words", "Transfer-Encoding: xchunked"],
    ["a folded header", "Transfer-Encoding:\r\n chunked"],
    ["a space before the colon", "Transfer-Encoding : chunked"],
    ["a tab before the colon", "Content-Length\t: 5"],
    ["a bare carriage return", "X: a\rTransfer-Encoding: chunked"],
    ["a NUL", "X: a\0b"],
  ])("%s is refused, and what follows is never answered as a request", async (_, header) => {
    const { proxy, secret } = await start({ timeouts })
    const inner = `GET /v1/flags/dark.mode HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\n\r\n`
    const said = await exchange(
      proxy.port,
      Buffer.from(`GET /livez HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n0\r\n\r\n${inner}`, "latin1"),
    )
    expect(said).not.toContain("dark.mode")
    expect(said).toMatch(/HTTP\/1\.1 400 Bad Request/)
  })
})

describe("clients that take their time", () => {
  test.each([
    ["a head that never ends", "GET /v1/flags HTTP/1.1\r\nHost: x\r\n", "408"],
    ["a body that never arrives", "POST /v1/flags HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n", "405"],
    ["a request and then silence", "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n", "200"],
  ])("%s: the connection is closed", async (_, bytes, status) => {
    const { proxy } = await start({ timeouts })
    expect(await exchange(proxy.port, bytes)).toMatch(`HTTP/1.1 ${status} `)
  })

  test("one byte at a time gets no more time", async () => {
    const { proxy, admin } = await start({ timeouts })
    // A byte that arrives when the server has closed resets the connection, and then the answer may be lost.
    const ignoreReset = (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE" && error.code !== "ECONNRESET") throw error
    }
    await converse(proxy.port, (socket) => {
      const drip = setInterval(() => socket.write("X"), 5)
      socket.write("GET /v1/flags HTTP/1.1\r\nHost: x\r\nX-Slow: ")
      socket.once("end", () => clearInterval(drip))
      socket.once("close", () => clearInterval(drip))
    }).catch(ignoreReset)
    expect((await admin("/metrics")).text).toMatch(
      /flagstone_requests_total\{route="other",method="other",status="408"\} 1/,
    )
  })

  test("a client that reads none of its answer is cut off", async () => {
    const files = buildFiles({
      production: Array.from({ length: 2_000 }, (_, at) => flagEntry(`flag-${at + 1e6}`, 3)),
    })
    const { proxy, secret, lines } = await start({
      timeouts,
      snapshots: [createMapSource(files)],
      logsRequests: true,
    })
    const leave = sendWithoutReading(
      proxy.port,
      `GET /v1/flags HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\n\r\n`.repeat(50),
    )
    await vi.waitUntil(() => lines.some(({ msg, cut }) => msg === "request" && cut === true))
    leave()
  })

  test("half-open: a client that sends everything and then ends its side is answered", async () => {
    const { proxy, secret } = await start({ timeouts })
    const said = await converse(
      proxy.port,
      (socket) =>
        void socket.end(`GET /v1/flags/a%2Fb HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\n\r\n`),
    )
    expect(said).toMatch(/^HTTP\/1\.1 200 OK/)
    expect(said).toMatch('"key":"a/b"')
  })

  test("a thousand requests in one go are answered in order, and the bucket counts them all", async () => {
    const { proxy, secret } = await start({ clock: still })
    const request = `GET /v1/flags HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\n`
    const said = await exchange(
      proxy.port,
      `${`${request}\r\n`.repeat(999)}${request}Connection: close\r\n\r\n`,
    )
    expect(said.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(1000)
    expect([...said.matchAll(/x-ratelimit-remaining: (\d+)/g)].map(([, left]) => Number(left))).toEqual(
      Array.from({ length: 1000 }, (_, index) => 99_999 - index),
    )
  })
})
