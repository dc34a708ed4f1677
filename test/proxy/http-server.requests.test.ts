// @module-tag system
import { describe, expect, test } from "vitest"
import { exchange, open } from "./raw-http.ts"
import { startTestProxy as start } from "./start-proxy.ts"

test("a request that is refused before the app is logged as a whole answer", async () => {
  const { proxy, lines } = await start({ logsRequests: true })
  await exchange(proxy.port, "GET /livez HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n")
  await expect
    .poll(() => lines.filter(({ msg }) => msg === "request"))
    .toMatchObject([{ method: "GET", status: 400, address: "127.0.0.1" }])
  expect(lines.find(({ msg }) => msg === "request")).not.toHaveProperty("cut")
})

describe("HTTP that is broken", () => {
  test.each([
    ["no HTTP", "hello\r\n\r\n", 400, "Bad request"],
    ["TLS", Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00]), 400, "Bad request"],
    ["an unknown method", "FETCH /v1/flags HTTP/1.1\r\nHost: x\r\n\r\n", 400, "Bad request"],
    ["a different version", "GET /v1/flags HTTP/9.9\r\nHost: x\r\n\r\n", 400, "Bad request"],
    ["no Host", "GET /v1/flags HTTP/1.1\r\nX: y\r\n\r\n", 400, "Bad request"],
    ["a control character in a header", "GET / HTTP/1.1\r\nHost: x\r\nX: \x01\r\n\r\n", 400, "Bad request"],
    [
      "two lengths",
      "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
      400,
      "Bad request",
    ],
    [
      "17 KB of headers",
      `GET / HTTP/1.1\r\nHost: x\r\nX: ${"y".repeat(17_000)}\r\n\r\n`,
      431,
      "Request header fields too large",
    ],
    [
      "1,001 lines",
      `GET / HTTP/1.1\r\nHost: x\r\n${"a:\r\n".repeat(1_000)}\r\n`,
      431,
      "Request header fields too large",
    ],
    [
      "chunks in 1.0",
      "POST /nowhere HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      400,
      "Bad request",
    ],
    ["a host and none", "GET / HTTP/1.1\r\nHost: x\r\nHost:\r\n\r\n", 400, "Bad request"],
    [
      "a tunnel",
      "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n",
      405,
      "Method not allowed",
    ],
  ])("%s is answered in JSON and the connection closed", async (_, bytes, status, error) => {
    const { proxy } = await start()
    const answer = await exchange(proxy.port, bytes)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [A-Z][A-Za-z ]+\r\n`))
    expect(answer).toMatch(/\r\nconnection: close\r\n/i)
    expect(answer).toMatch(/\r\ncontent-type: application\/json\r\n/)
    expect(answer.split("\r\n\r\n")[1]).toBe(JSON.stringify({ error }))
    expect(/\r\nallow: GET, HEAD\r\n/.test(answer)).toBe(status === 405)
  })

  test("a client that sends nothing, or disconnects midway, affects no one", async () => {
    const { proxy, get, lines } = await start()
    const silent = await open(proxy.port)
    const half = await open(proxy.port)
    half.leave("GET /v1/flags HTTP/1.1\r\nHost: x\r\n")
    await half.closed
    expect((await get("/v1/flags")).status).toBe(200)
    await proxy.stop()
    await silent.closed
    expect(lines.filter(({ level }) => Number(level) >= 40)).toEqual([])
  })
})

describe("the body of a request for flags is never read", () => {
  test.each([
    ["a length", "GET", "Content-Length: 5\r\n\r\nhello"],
    ["chunks", "GET", "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"],
    ["a request", "GET", "Content-Length: 25\r\n\r\nGET /nowhere HTTP/1.1\r\n\r\n"],
    ["a length, in a POST", "POST", "Content-Length: 5\r\n\r\nhello"],
  ])("%s, and the next request is found where it begins", async (_, method, rest) => {
    const { proxy, secret } = await start()
    const connection = await open(proxy.port)
    const head = `Host: x\r\nAuthorization: Bearer ${secret}\r\n`
    expect(await connection.ask(`${method} /v1/flags/a/b HTTP/1.1\r\n${head}${rest}`)).toMatch(
      method === "GET" ? /^HTTP\/1\.1 200 / : /^HTTP\/1\.1 405 /,
    )
    expect(await connection.ask(`GET /v1/flags/dark.mode HTTP/1.1\r\n${head}\r\n`)).toMatch(
      /"key":"dark\.mode"/,
    )
  })

  test("a client that asks first whether to send one is answered immediately, and for the last time", async () => {
    const { proxy, secret } = await start()
    const answer = await exchange(
      proxy.port,
      `POST /v1/flags HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\nContent-Length: 9999999999\r\nExpect: 100-continue\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n/)
    expect(answer).toMatch(/\r\nconnection: close\r\n/i)
  })
})
