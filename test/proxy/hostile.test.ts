import { execFileSync } from "node:child_process"
import { join } from "node:path"
import fc from "fast-check"
import { describe, expect, test, vi } from "vitest"
import { parseKeyRecords } from "../../proxy/contract/key-file.ts"
import type { ProxyConfig } from "../../proxy/serve.ts"
import {
  buildFiles,
  createKeySource,
  createMapSource,
  createTestApp,
  flagEntry,
  mintKey,
  wallClock,
} from "./fixtures.ts"
import { converse, exchange, open, sendWithoutReading } from "./raw-http.ts"
import { startTestProxy } from "./start-proxy.ts"

interface FuzzedRequest {
  readonly target: string
  readonly junk: string
  readonly headers: readonly (readonly [string, string])[]
}

const errors =
  /^\{"error":"(Bad request|Unauthorized|Not found|Flag not found|Method not allowed|Too many requests|Request timeout|Request header fields too large|Service unavailable)"\}$/

/** Milliseconds that a test can wait for. */
const timeouts = { keepAlive: 40, headers: 40, request: 80, silence: 80, check: 10 }

/** A clock that stands. */
const still = { now: () => wallClock, monotonicNow: () => 0, random: () => 0 }

/** A proxy that shows all there is to see of it, and whose one key may ask for long. */
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

describe("whatever is sent, the answer is one of ours and echoes nothing", () => {
  const token = fc.string({ unit: fc.constantFrom(..."abcXYZ09-_."), minLength: 1, maxLength: 20 })
  const headerValue = fc
    .string({ unit: "binary", maxLength: 60 })
    .map((text) => text.replace(/[^\t\x20-\x7e\x80-\xff]/gu, ""))

  test("in memory: paths, methods and headers", async () => {
    const app = await createTestApp()
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.webPath(), fc.string({ unit: "grapheme" })),
        fc.constantFrom("GET", "HEAD", "POST", "OPTIONS", "DELETE"),
        fc.dictionary(
          fc.constantFrom("authorization", "if-none-match", "accept-encoding", "origin", "x-forwarded-for"),
          headerValue,
        ),
        async (path, method, headers) => {
          const marker = "fLaGsToNe"
          const response = await app.ask(`/v1/flags/${encodeURI(path.toWellFormed())}${marker}`, {
            method,
            headers,
          })
          expect(response.status).toBeLessThan(500)
          const body = await response.text()
          if (body !== "") expect(body).toMatch(errors)
          expect(JSON.stringify([...response.headers])).not.toContain(marker)
        },
      ),
      { numRuns: 300 },
    )
    expect(app.failures).toEqual([])
  })

  test("over a socket: request lines and headers of any bytes", async () => {
    const { proxy, lines } = await start({ timeouts })
    const request = fc.record({
      target: fc.oneof(
        fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString("latin1")),
        token,
      ),
      junk: fc.string({ unit: "binary", maxLength: 80 }),
      headers: fc.array(fc.tuple(token, headerValue), { maxLength: 5 }),
    })
    const check = async ({ target, junk, headers }: FuzzedRequest): Promise<void> => {
      const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("")
      const said = await exchange(
        proxy.port,
        Buffer.from(
          `GET /${target}${junk} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${head}\r\n`,
          "latin1",
        ),
      )
      const [top = "", body = ""] = said.split("\r\n\r\n")
      expect(top).toMatch(/^HTTP\/1\.1 (400|401|404|405|408|429|431) /)
      expect(body.slice(0, Number(/content-length: (\d+)/i.exec(top)?.[1]))).toMatch(errors)
    }
    await fc.assert(
      // Together, because the end of each is waited for.
      fc.asyncProperty(fc.array(request, { minLength: 20, maxLength: 20 }), async (requests) => {
        await Promise.all(requests.map(check))
      }),
      { numRuns: 10 },
    )
    expect(lines.filter(({ level }) => Number(level) >= 40)).toEqual([])
  })

  test("the key file: any damage is refused or leaves at most the one key, and no reason repeats the file", () => {
    const { record } = mintKey()
    const text = `keys:\n  - id: web\n    environment: production\n    digest: sha256:${record.digest}\n    createdAt: 2026-11-21T10:00:00.000Z\n    revokedAt: 2026-11-22T10:00:00.000Z\n`
    fc.assert(
      fc.property(
        fc.nat(text.length),
        fc.nat(40),
        fc.string({ unit: "binary", maxLength: 20 }),
        (at, removed, put) => {
          const parsed = parseKeyRecords(text.slice(0, at) + put + text.slice(at + removed))
          if (parsed.kind === "valid") expect(parsed.value.length).toBeLessThanOrEqual(1)
          else expect(parsed.reason).not.toContain(record.digest.slice(0, 12))
        },
      ),
      { numRuns: 1000 },
    )
  })
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
    ["a body that never comes", "POST /v1/flags HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n", "405"],
    ["a request and then silence", "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n", "200"],
  ])("%s: the connection is closed", async (_, bytes, status) => {
    const { proxy } = await start({ timeouts })
    expect(await exchange(proxy.port, bytes)).toMatch(`HTTP/1.1 ${status} `)
  })

  test("one letter at a time gets no more time", async () => {
    const { proxy, admin } = await start({ timeouts })
    const said = await converse(proxy.port, (socket) => {
      const drip = setInterval(() => socket.write("X"), 5)
      socket.write("GET /v1/flags HTTP/1.1\r\nHost: x\r\nX-Slow: ")
      socket.once("end", () => clearInterval(drip))
      socket.once("close", () => clearInterval(drip))
    })
    expect(said).toMatch(/408 Request Timeout/)
    expect((await admin("/metrics")).text).toMatch(
      /flagstone_requests_total\{route="other",method="other",status="408"\} 1/,
    )
  })

  test("who reads nothing of what was asked for is cut", async () => {
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

  test("half-open: a client that says all it has to say and then ends its side is answered", async () => {
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

// That they do not is found out at the end of the run, like all that any test made the proxy say: test/secrets.
test("secrets stand in no log line and no metric, wherever a client puts them", async () => {
  const { proxy, secret, lines, admin } = await start()
  const stranger = mintKey().secret
  for (const key of [secret, stranger]) {
    for (const path of [
      `/v1/flags/${key}`,
      `/${key}`,
      `/v1/flags?key=${key}`,
      `/v1/flags/%66${key.slice(1)}`,
    ]) {
      for (const authorization of [`Bearer ${key}`, key, `Basic ${key}`, `Bearer ${key} ${key}`])
        await fetch(proxy.url + path, { headers: { authorization, "user-agent": key, origin: key } })
      await exchange(proxy.port, `${key} ${path} HTTP/1.1\r\nHost: ${key}\r\n\r\n`)
    }
  }
  const connection = await open(proxy.port)
  connection.leave(`GET /${secret} HTTP/1.1\r\nAuthorization: Bearer ${secret}`)
  await connection.closed
  expect((await admin("/metrics")).text).toMatch(/flagstone_auth_failures_total\{reason="unknown"\} \d/)
  expect((await admin("/health")).status).toBe(200)
  expect(lines.filter(({ msg }) => msg === "request").length).toBeGreaterThan(30)
})

test("a million random keys, paths and addresses leave the heap as it was", () => {
  const script = join(import.meta.dirname, "flood.ts")
  const out = execFileSync(process.execPath, ["--expose-gc", script], { encoding: "utf8", timeout: 110_000 })
  const { before, after, statuses } = JSON.parse(out)
  expect(Object.values<number>(statuses).reduce((sum, count) => sum + count, 0)).toBe(1_000_000)
  expect(Object.keys(statuses)).toEqual(["200", "401", "404", "429"])
  expect(after - before).toBeLessThan(2_000_000)
}, 120_000)
