// @module-tag system
import { createServer, type IncomingMessage, request } from "node:http"
import { describe, expect, test } from "vitest"
import { listen } from "../../proxy/http/listen.ts"
import { good, unavailable } from "../../proxy/reload/fault.ts"
import type { Ask, Source } from "../../proxy/reload/source.ts"
import {
  buildFiles,
  createKeySource,
  createMapSource,
  flagEntry,
  mintKey,
  named,
  readFiles,
  shop,
  wallClock,
} from "./fixtures.ts"
import { exchange, open } from "./raw-http.ts"
import { startTestProxy as start } from "./start-proxy.ts"

describe("over a socket", () => {
  test.each([
    ["an absolute target", "GET http://elsewhere/v1/flags/a%2Fb?x HTTP/1.1", "Host: elsewhere"],
    ["a host that no URL can have", "GET /v1/flags/%61/b HTTP/1.1", "Host: 999.9.9.9"],
    ["HTTP/1.0 without Host", "GET /v1/flags/a/b HTTP/1.0", "X: y"],
    ["an unknown expectation", "GET /v1/flags/a/b HTTP/1.1", "Host: x\r\nExpect: the unexpected"],
  ])("%s finds the flag", async (_, line, header) => {
    const { proxy, secret } = await start()
    const answer = await exchange(
      proxy.port,
      `${line}\r\n${header}\r\nAuthorization: Bearer ${secret}\r\nConnection: close\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(JSON.parse(answer.split("\r\n\r\n")[1] ?? "").flag.key).toBe("a/b")
  })

  test.each([
    [
      "two Authorization lines",
      (key: string) => `Authorization: Bearer ${key}\r\nAuthorization: Bearer ${key}`,
    ],
    ["10 KB", () => `Authorization: Bearer ${"a".repeat(10_240)}`],
    ["an empty line", () => "Authorization:"],
    ["bytes that are not ASCII", () => "Authorization: Bearer \xff\xfe"],
  ])("%s is 401", async (_, header) => {
    const { proxy, secret } = await start()
    const answer = await exchange(
      proxy.port,
      Buffer.from(
        `GET /v1/flags HTTP/1.1\r\nHost: x\r\n${header(secret)}\r\nConnection: close\r\n\r\n`,
        "latin1",
      ),
    )
    expect(answer).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/)
    expect(answer).toMatch(/\r\n\r\n\{"error":"Unauthorized"\}$/)
  })
})

test.each(["a/../b", "../../livez", ".", "%2e", "a?b#c"])(
  "the flag %s is found by its own name, decoded once",
  async (key) => {
    const files = buildFiles({ production: [flagEntry(key)] })
    const { proxy, secret } = await start({ snapshots: [createMapSource(files)] })
    const hex = [...key].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join("")
    for (const path of [encodeURIComponent(key), hex]) {
      const answer = await exchange(
        proxy.port,
        `GET /v1/flags/${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\nConnection: close\r\n\r\n`,
      )
      expect(JSON.parse(answer.split("\r\n\r\n")[1] ?? "").flag?.key).toBe(key)
    }
  },
)

test.each([
  ["GET /v1/flags/%", 404, "Flag not found"],
  ["GET /v1/flags/%E0%A4%A", 404, "Flag not found"],
  ["GET /v1/flags/%61%00", 404, "Flag not found"],
  ["GET /v1/flags/__proto__", 404, "Flag not found"],
  ["GET /v1/flags/../../etc/passwd", 404, "Flag not found"],
  ["GET /v1/flags/a\\b", 404, "Flag not found"],
  ["GET /v1/flags/{}|^`<>", 404, "Flag not found"],
  [`GET /v1/flags/${"%61".repeat(5_000)}`, 404, "Flag not found"],
  ["GET /v1/flags/%2e%2e/%2e%2e/livez", 404, "Flag not found"],
  ["GET /v1/flags/x/../../../livez", 404, "Flag not found"],
  ["GET /v1/%66lags", 404, "Not found"],
  ["GET /./livez", 404, "Not found"],
  ["GET /v1/../livez", 404, "Not found"],
  ["GET /%61%2e%2e/v1/flags", 404, "Not found"],
  ["GET //v1/flags", 404, "Not found"],
  ["GET http://[::1/v1/flagz", 404, "Not found"],
  ["GET http://", 404, "Not found"],
  ["GET http:///v1/flags/x", 404, "Flag not found"],
  ["GET ?/v1/flags", 400, "Bad request"],
  ["OPTIONS *", 404, "Not found"],
  ["TRACE /v1/flags", 405, "Method not allowed"],
])("%s is %i and no worse", async (line, status, error) => {
  const { proxy, secret, lines } = await start()
  const headers = `Host: 999.9.9.9\r\nAuthorization: Bearer ${secret}\r\nConnection: close\r\n\r\n`
  const answer = await exchange(proxy.port, `${line} HTTP/1.1\r\n${headers}`)
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  expect(answer.split("\r\n\r\n")[1]).toBe(JSON.stringify({ error }))
  expect(lines.filter(({ level }) => Number(level) >= 40)).toEqual([])
})

describe("starting", () => {
  test("without a manifest fails with the fix, and listens nowhere", async () => {
    await expect(start({ snapshots: [createMapSource(new Map())] })).rejects.toThrow("no manifest.json")
  })

  test("without a key fails with the fix", async () => {
    await expect(start({ keys: createKeySource([]) })).rejects.toThrow(/no key .*flagstone keys create/)
  })

  test("on a taken port fails and names it", async () => {
    const { proxy } = await start()
    await expect(start({ port: proxy.port })).rejects.toThrow(
      `port ${proxy.port} on 127.0.0.1: in use; choose a different --port`,
    )
    await expect(start({ adminPort: proxy.port })).rejects.toThrow("in use; choose a different --admin-port")
    const elsewhere = start({ adminPort: 0, adminHost: "192.0.2.1" })
    await expect(elsewhere).rejects.toThrow("no such IP address; choose a different --admin-host")
  })

  test("from sources that hang, all asked at once, gives up on each that has a cache, and is alive meanwhile", async () => {
    const { secret, record } = mintKey({ project: "shop" })
    const toys = await readFiles(named("toys", buildFiles({ production: [flagEntry("yo-yo")] })))
    const asked: string[] = []
    const hang = async ({ signal }: Ask, location: string) => {
      asked.push(location)
      await new Promise((done) => signal.addEventListener("abort", done))
      expect(asked.length).toBe(3)
      return unavailable("hangs")
    }
    const from = <T>(location: string, value: T): Source<T> => ({
      location,
      version: (ask) => hang(ask, location),
      read: (_, ask) => hang(ask, location),
      cache: { location: "", read: async () => good(value), write: async () => undefined },
    })
    const vacant = createServer()
    const port = await listen(vacant, "127.0.0.1", 0)
    vacant.close()
    const starting = start({
      port,
      snapshots: [from("shop", await readFiles(buildFiles({ production: shop }))), from("toys", toys)],
      keys: from("keys", { keys: [record], bytes: Buffer.alloc(0) }),
    })
    const headers = { authorization: `Bearer ${secret}` }
    const ask = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).status
    await expect.poll(() => ask("/livez").catch(() => 0), { timeout: 5_000, interval: 1 }).toBe(200)
    expect([await ask("/readyz"), await ask("/v1/flags")]).toEqual([503, 503])
    let isStarted = false
    void starting.then(() => {
      isStarted = true
    })
    const alive = new Set<number>()
    while (!isStarted) alive.add(await ask("/livez").catch(() => 0))
    expect([...alive]).toEqual([200])
    const { lines } = await starting
    expect([await ask("/readyz"), await ask("/v1/flags")]).toEqual([200, 200])
    expect(lines.map(({ msg }) => msg).sort()).toEqual([
      "keys taken from the cache",
      "proxy started",
      ...Array(2).fill("snapshots taken from the cache"),
    ])
  })

  test("is ready without the environments of expired or revoked keys", async () => {
    const good = mintKey()
    const over = mintKey({ id: "over", environment: "old", expiresAt: wallClock })
    const revoked = mintKey({ id: "revoked", environment: "older", revokedAt: wallClock - 1 })
    const { get } = await start({ keys: createKeySource([good.record, over.record, revoked.record]) })
    expect((await get("/readyz")).status).toBe(200)
  })

  test("logs where it is and what it has, and no secret", async () => {
    const { proxy, secret, get, lines } = await start()
    await get("/v1/flags")
    expect(lines[0]).toMatchObject({
      msg: "proxy started",
      url: proxy.url,
      projects: [{ project: "shop", revisions: { production: null } }],
      keys: 1,
    })
    expect(JSON.stringify(lines)).not.toContain(secret)
  })
})

describe("reload", () => {
  test("serves what is new, and stops serving what is gone", async () => {
    const { proxy, files, get, lines } = await start()
    const etag = (await get("/v1/flags/dark.mode")).headers.get("etag") ?? ""
    for (const [file, text] of buildFiles({ production: [flagEntry("a/b"), flagEntry("new")] }))
      files.set(file, text)
    await proxy.reload()
    expect(lines.slice(-2)).toMatchObject([
      { msg: "keys reloaded", keys: 1, changes: { added: 0, removed: 0, changed: 0 } },
      { msg: "snapshots reloaded", project: "shop", revisions: { production: null } },
    ])
    expect((await get("/v1/flags/new")).status).toBe(200)
    expect((await get("/v1/flags/dark.mode", { "if-none-match": etag })).status).toBe(404)
  })

  test("polling finds what changed, and reports once what is broken", async () => {
    const { files, get, lines, next } = await start({ pollInterval: 1 })
    const refused = next("snapshots refused; the last good ones stay")
    files.set("production.json", "{")
    expect((await refused).reason).toMatch("production.json has 1 bytes")
    expect((await get("/v1/flags/dark.mode")).status).toBe(200)
    const reloaded = next("snapshots reloaded")
    for (const [file, text] of buildFiles({ production: [flagEntry("new")] })) files.set(file, text)
    await reloaded
    expect((await get("/v1/flags/new")).status).toBe(200)
    const reasons = lines.flatMap(({ reason }) => reason ?? [])
    expect(new Set(reasons).size).toBe(reasons.length)
  })
})

describe("stop", () => {
  test("answers until it closes, announces it, and then ends every connection", async () => {
    const { proxy, secret, lines } = await start({ drainDelay: 3_600_000 })
    const request = (path: string): string =>
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\n\r\n`
    const connections = await Promise.all(Array.from({ length: 5 }, () => open(proxy.port)))
    for (const connection of connections)
      expect(await connection.ask(request("/readyz"))).toMatch(
        /^HTTP\/1\.1 200 [\s\S]*\r\nConnection: keep-alive\r\n/,
      )

    const stopped = proxy.stop()
    const [unready, served, ...idle] = connections
    expect(await unready?.ask(request("/readyz"))).toMatch(/^HTTP\/1\.1 503 [\s\S]*\r\nConnection: close\r\n/)
    expect(await served?.ask(request("/v1/flags/a/b"))).toMatch(
      /^HTTP\/1\.1 200 [\s\S]*\r\nConnection: close\r\n/,
    )
    await Promise.all([unready?.closed, served?.closed])
    expect(await exchange(proxy.port, request("/v1/flags/a/b"))).toMatch(/^HTTP\/1\.1 200 /)

    await proxy.stop()
    await Promise.all([stopped, ...idle.map(({ closed }) => closed)])
    await expect(open(proxy.port)).rejects.toThrow("ECONNREFUSED")
    expect(lines.map(({ msg }) => msg)).toEqual(["proxy started", "proxy stopping", "proxy stopped"])
  })

  test("without a delay ends immediately, including idle and silent connections", async () => {
    const { proxy } = await start()
    const silent = await open(proxy.port)
    const idle = await open(proxy.port)
    await idle.ask("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n")
    const begin = performance.now()
    await proxy.stop()
    await Promise.all([silent.closed, idle.closed])
    expect(performance.now() - begin).toBeLessThan(2_000)
  })

  test("a second signal cuts off requests in flight immediately", async () => {
    const flags = Array.from({ length: 200 }, (_, at) => {
      const entry = flagEntry(`flag-${at + 1_000}`)
      return { ...entry, flag: { ...entry.flag, description: "x".repeat(100_000) } } // more than the kernel takes
    })
    const { proxy, secret } = await start({ snapshots: [createMapSource(buildFiles({ production: flags }))] })
    const headers = { authorization: `Bearer ${secret}`, "accept-encoding": "identity" }
    const answer = await new Promise<IncomingMessage>((done) => {
      request({ port: proxy.port, host: "127.0.0.1", path: "/v1/flags", headers }, done).end()
    })
    const cut = new Promise((done) => answer.once("error", done))
    const begin = performance.now()
    const first = proxy.stop()
    await expect(
      Promise.race([first.then(() => "stopped"), proxy.reload().then(() => "busy")]),
    ).resolves.toBe("busy")
    await Promise.all([first, proxy.stop()])
    expect(performance.now() - begin).toBeLessThan(2_000)
    answer.resume()
    expect(await cut).toMatchObject({ code: "ECONNRESET" })
  })
})

test("a reload loads the keys immediately, however long the snapshots take", async () => {
  const source = createMapSource(buildFiles({ production: shop }))
  let open: (() => void) | undefined
  let gate: Promise<void> | undefined
  const version = async (ask: Ask) => {
    await gate
    return source.version(ask)
  }
  const { proxy, keys, get, lines } = await start({ snapshots: [{ ...source, version }] })
  gate = new Promise((done) => {
    open = done
  })
  keys.length = 0
  const reloaded = proxy.reload()
  await expect.poll(async () => (await get("/v1/flags")).status, { timeout: 5_000 }).toBe(401)
  open?.()
  await reloaded
  expect(lines.slice(-2)).toMatchObject([{ msg: "keys reloaded" }, { msg: "snapshots reloaded" }])
})
