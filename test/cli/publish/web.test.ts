// @module-tag system
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import fc from "fast-check"
import { expect, onTestFinished, test } from "vitest"
import { createWeb } from "../../../cli/publish/web.ts"

test.each([
  ...[408, 429, 500, 502, 503, 504].map((status) => [status, 6] as const),
  ...[200, 301, 400, 401, 403, 404, 409, 412, 501].map((status) => [status, 1] as const),
])("an answer with status %d comes after asking %d times", async (status, times) => {
  let asked = 0
  const server = createServer((_, res) => {
    asked++
    res.writeHead(status, { location: "/" }).end()
  }).listen(0, "127.0.0.1")
  onTestFinished(() => void server.close().closeAllConnections())
  await once(server, "listening")
  const pauses: number[] = []
  const web = createWeb({
    env: {},
    sleep: async (milliseconds) => pauses.push(milliseconds),
    random: () => 0.5,
  })
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  expect((await web.request(() => ({ method: "GET", url, headers: {} }))).status).toBe(status)
  expect(asked).toBe(times)
  expect(pauses).toEqual([200, 400, 800, 1600, 3200].slice(0, times - 1))
  await web.close()
})

test("an answer that never ends is given up at its limit, and not asked for again", async () => {
  let asked = 0
  const server = createServer((_, res) => {
    asked++
    const more = () => {
      while (!res.destroyed && res.write(Buffer.alloc(65_536)));
    }
    res.on("drain", more)
    more()
  }).listen(0, "127.0.0.1")
  onTestFinished(() => void server.close().closeAllConnections())
  await once(server, "listening")
  const web = createWeb({ env: {}, sleep: async () => {}, random: () => 0.5 })
  onTestFinished(() => web.close())
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/manifest.json.sig`)
  const answer = web.request(() => ({ method: "GET", url, headers: {} }), 100_000)
  await expect(answer).rejects.toThrow(
    "/manifest.json.sig: its response has more than 100000 bytes; check the URL, and remove the file there if it is damaged",
  )
  expect(asked).toBe(1)
})

test("a connection that closes halfway is reported in words", async () => {
  const server = createServer((_, res) => {
    res.writeHead(200, { "content-length": 99 }).write("{")
    setTimeout(() => res.destroy(), 20)
  }).listen(0, "127.0.0.1")
  onTestFinished(() => void server.close().closeAllConnections())
  await once(server, "listening")
  const web = createWeb({ env: {}, sleep: async () => {}, random: () => 0.5 })
  onTestFinished(() => web.close())
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/manifest.json`)
  await expect(web.request(() => ({ method: "GET", url, headers: {} }))).rejects.toThrow(
    "/manifest.json: closed the connection before the end of its response",
  )
})

test("a body may take longer than a server may be silent", async () => {
  const server = createServer((req, res) => {
    req.on("data", () => {
      req.pause()
      setTimeout(() => req.resume(), 50)
    })
    req.on("end", () => res.end())
  }).listen(0, "127.0.0.1")
  onTestFinished(() => void server.close().closeAllConnections())
  await once(server, "listening")
  const web = createWeb({ env: {}, sleep: async () => {}, random: () => 0.5, silence: 100 })
  onTestFinished(() => web.close())
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/production.json`)
  const create = () => ({ method: "PUT", url, headers: {}, body: Buffer.alloc(2_000_000) }) as const
  expect((await web.request(create, undefined, 1)).status).toBe(200)
})

test("pauses grow, differ, and end at ten seconds", async () => {
  let chance = 0
  const pauses: number[] = []
  const web = createWeb({
    env: {},
    sleep: async (milliseconds) => pauses.push(milliseconds),
    random: () => chance,
  })
  const pauseAfter = async (tries: number, random: number) => {
    chance = random
    await web.pause(tries)
    return pauses.at(-1)
  }
  await fc.assert(
    fc.asyncProperty(
      fc.nat(40),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      async (tries, random) => {
        const pause = await pauseAfter(tries, random)
        expect(pause).toBeGreaterThanOrEqual(0)
        expect(pause).toBeLessThan(10_000)
        expect(await pauseAfter(tries + 1, random)).toBeGreaterThanOrEqual(pause ?? Number.NaN)
        if (random > 0.01) expect(pause).toBeGreaterThan((await pauseAfter(tries, 0)) ?? Number.NaN)
      },
    ),
  )
  await web.close()
})
