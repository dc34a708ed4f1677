// @module-tag system
import { setImmediate as nextTurn } from "node:timers/promises"
import { describe, expect, test, vi } from "vitest"
import { buildFiles, createMapSource, evaluateBucket, wallClock } from "../fixtures.ts"
import { converse, exchange, open } from "../raw-http.ts"
import { startTestProxy } from "../start-proxy.ts"
import { evaluatedFlags, flagOf, path, rule } from "./evaluated-flags.ts"

const files = buildFiles({ production: evaluatedFlags })
const evaluating = { evaluateBucket, snapshots: [createMapSource(files)] }
const { proxy, secret } = await startTestProxy(evaluating)

const context = JSON.stringify({ context: { plan: "pro" } })
const expected =
  '{"key":"theme","value":"gold","reason":"TARGETING_MATCH","variant":"by-equals","metadata":{"flagSetId":"shop/production",'

function head(target: string, lines: readonly string[], authorization = `Bearer ${secret}`): string {
  const all = [`POST ${target} HTTP/1.1`, "Host: flags.example", `Authorization: ${authorization}`, ...lines]
  return `${all.join("\r\n")}\r\n\r\n`
}

const announced = (body: string) => `Content-Length: ${Buffer.byteLength(body)}`
const themeRequest = head(`${path}/theme`, [announced(context)]) + context

describe("what clients send on a socket", () => {
  test("a body behind the head, in the same packet or in later ones", async () => {
    const { ask } = await open(proxy.port)
    for (let round = 0; round < 3; round++) expect(await ask(themeRequest)).toMatch(expected)
    const answer = await converse(proxy.port, async (socket) => {
      const lines = [announced(context), "Connection: close"]
      for (const part of [head(`${path}/theme`, lines), context.slice(0, 10), context.slice(10)]) {
        socket.write(part)
        await ask(themeRequest) // when this is answered, the proxy has seen the part
      }
    })
    expect(answer).toMatch(/^HTTP\/1.1 200 OK\r\n/)
    expect(answer).toMatch(expected)
  })

  test("chunks, in pieces of a byte", async () => {
    const chunked = [...context].map((byte) => `1\r\n${byte}\r\n`).join("")
    const { ask } = await open(proxy.port)
    const answer = await ask(`${head(`${path}/theme`, ["Transfer-Encoding: chunked"])}${chunked}0\r\n\r\n`)
    expect(answer).toMatch(expected)
    expect(await ask(themeRequest)).toMatch(expected)
  })

  test("nothing: no body and no length", async () => {
    const { ask } = await open(proxy.port)
    expect(await ask(head(`${path}/theme`, []))).toMatch('"value":"gr')
    expect(await ask(head(`${path}/theme`, ["Content-Length: 0"]))).toMatch('"value":"gr')
  })

  test("several requests at once, answered in their order", async () => {
    const last = head(`${path}/static`, ["Content-Length: 2", "Connection: close"])
    const answers = await exchange(proxy.port, `${themeRequest}${head("/v1/flags", [])}${last}{}`)
    expect(answers.match(/HTTP\/1.1 \d+|"key":"\w+"/g)).toEqual([
      "HTTP/1.1 200",
      '"key":"theme"',
      "HTTP/1.1 405",
      "HTTP/1.1 200",
      '"key":"static"',
    ])
  })

  test.each([
    `${path}/team/checkout`,
    `${path}/team%2Fcheckout`,
    `/${path}/team%2fcheckout`,
    `http://flags.example${path}/team/checkout`,
    `${path}/team/checkout?flagConfigEtag=x`,
  ])("a key with a slash: %s", async (target) => {
    const { ask } = await open(proxy.port)
    expect(await ask(head(target, ["Content-Length: 0"]))).toMatch('{"key":"team/checkout","value":false,')
  })

  test("an upgrade to HTTP/2, as Java does with each first request: it is ignored and the body read", async () => {
    const upgrade = [
      "Connection: Upgrade, HTTP2-Settings",
      "Upgrade: h2c",
      "HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA",
    ]
    const { ask } = await open(proxy.port)
    for (let round = 0; round < 2; round++) {
      const answer = await ask(head(`${path}/theme`, [...upgrade, announced(context)]) + context)
      expect(answer).toMatch(/^HTTP\/1.1 200 OK\r\n/)
      expect(answer).toMatch(expected)
      expect(answer).not.toMatch(/^upgrade:/im)
    }
  })
})

describe("Expect: 100-continue", () => {
  const waiting = (lines: readonly string[], authorization?: string) =>
    head(`${path}/theme`, ["Expect: 100-continue", ...lines], authorization)

  test("gets its 100 when the body is wanted, and the connection continues", async () => {
    const { ask } = await open(proxy.port)
    for (let round = 0; round < 2; round++) {
      expect(await ask(waiting([announced(context)]))).toBe("HTTP/1.1 100 Continue\r\n\r\n")
      const answer = await ask(context)
      expect(answer).toMatch(/^HTTP\/1.1 200 OK\r\n/)
      expect(answer).toMatch(expected)
      expect(answer).not.toMatch(/connection: close/i)
    }
  })

  test.each([
    ["no key", announced(context), "Bearer guess", 401],
    ["too long a body", "Content-Length: 65537", undefined, 413],
  ])(
    "gets %s for an answer and no 100, and the connection ends",
    async (_, length, authorization, status) => {
      const answer = await exchange(proxy.port, waiting([length], authorization))
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
      expect(answer).toMatch(/connection: close/i)
      expect(answer).not.toMatch("100 Continue")
    },
  )
})

describe("a body that does not end well", () => {
  test("too long: it is answered, the rest is discarded, and the connection continues", async () => {
    const { ask } = await open(proxy.port)
    const rest = "x".repeat(1_000_000)
    expect(await ask(head(path, [announced(rest)]) + rest)).toMatch(/^HTTP\/1.1 413 Content Too Large\r\n/)
    const chunks = `${"10000\r\n".padEnd(0x10000 + 7, "x")}\r\n`.repeat(4)
    const answer = await ask(`${head(path, ["Transfer-Encoding: chunked"])}${chunks}0\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1.1 413 /)
    expect(answer).toMatch('"errorCode":"GENERAL"')
    expect(await ask(themeRequest)).toMatch(expected)
  })

  test("too slow: 408, and the connection ends", async () => {
    const timeouts = { keepAlive: 1_000, headers: 200, request: 300, silence: 1_000, check: 50 }
    const slow = await startTestProxy({ ...evaluating, timeouts })
    const request = head(path, ["Content-Length: 10"], `Bearer ${slow.secret}`)
    expect(await exchange(slow.proxy.port, `${request}{`)).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/)
  })

  test("cut off: no one is answered, and it is logged as no answer", async () => {
    const { proxy, secret, lines } = await startTestProxy({ ...evaluating, logsRequests: true })
    const { ask } = await open(proxy.port)
    await converse(proxy.port, async (socket) => {
      socket.write(`${head(path, ["Content-Length: 10"], `Bearer ${secret}`)}{`)
      await ask("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n") // when this is answered, the proxy has seen it
      socket.resetAndDestroy()
    })
    await vi.waitUntil(() => lines.some(({ cut }) => cut === true))
    expect(lines.find(({ cut }) => cut === true)).toMatchObject({ route: path, status: 499, key: "web" })
  })

  test("ended early: 400, and the connection ends", async () => {
    const bytes = `${head(path, ["Content-Length: 10"])}{`
    const answer = await converse(proxy.port, (socket) => void socket.end(bytes))
    expect(answer).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/)
  })

  test("malformed chunks: 400, and the connection ends", async () => {
    const bytes = `${head(path, ["Transfer-Encoding: chunked"])}zz\r\n`
    expect(await exchange(proxy.port, bytes)).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/)
  })
})

test("an answer under way when the proxy begins to stop ends its connection", async () => {
  const { proxy, secret } = await startTestProxy({ ...evaluating, drainDelay: 60_000 })
  const { ask } = await open(proxy.port)
  const request = head(`${path}/theme`, [announced(context)], `Bearer ${secret}`)
  let stopped: Promise<void> | undefined
  const answer = await converse(proxy.port, async (socket) => {
    socket.write(request)
    await ask("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n") // when this is answered, the proxy has seen the head
    stopped = proxy.stop()
    socket.write(context)
  })
  expect(answer).toMatch(expected)
  expect(answer).toMatch(/\r\nconnection: close\r\n/i)
  await Promise.all([stopped, proxy.stop()])
})

test("connections that wait are accepted before a long evaluation goes on", async () => {
  const flags = Array.from({ length: 60 }, (_, at) =>
    flagOf(`flag-${10 + at}`, "boolean", false, [rule("equals", "note", "x", true)]),
  )
  let now = 0
  const clock = { now: () => wallClock, monotonicNow: () => now++, random: () => 0 } // so that a turn is one step
  const snapshots = [createMapSource(buildFiles({ production: flags }))]
  const slow = await startTestProxy({ evaluateBucket, snapshots, clock })
  const answered: string[] = []
  const { ask } = await open(slow.proxy.port)
  const body = JSON.stringify({ context: { note: "n".repeat(6_000) } })
  const key = `Authorization: Bearer ${slow.secret}`
  const before = now
  const evaluated = ask(`POST ${path} HTTP/1.1\r\nHost: a\r\n${key}\r\n${announced(body)}\r\n\r\n${body}`)
  while (now < before + 6) await nextTurn() // until its work has begun
  const livez = Array.from({ length: 200 }, async () => {
    await exchange(slow.proxy.port, "GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    answered.push("/livez")
  })
  await Promise.all([evaluated.then(() => answered.push(path)), ...livez])
  expect(answered).toHaveLength(201)
  expect(answered.indexOf(path)).toBeGreaterThan(150)
})
