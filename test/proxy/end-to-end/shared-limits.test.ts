// @module-tag system
import { expect, onTestFinished, test, vi } from "vitest"
import { parseStoreAddress } from "../../../proxy/rate-limit/store-address.ts"
import { freePort } from "../../servers/ports.ts"
import { describeStores, startRedis } from "../../servers/redis.ts"
import { createKeySource, mintKey } from "../fixtures.ts"
import { startTestProxy } from "../start-proxy.ts"

const { secret, record } = mintKey({ rateLimit: { capacity: 10, refillPerSecond: 0.001 } })
const headers = { authorization: `Bearer ${secret}` }

function storeAt(url: string) {
  const address = parseStoreAddress(url)
  return address && { address, wait: 10_000, proxies: 1 }
}

/** A proxy with a running clock, an admin port and a store at that address. */
function start(url: string) {
  return startTestProxy({
    keys: createKeySource([record]),
    clock: { now: Date.now, monotonicNow: () => performance.now(), random: Math.random },
    adminPort: 0,
    rateLimitStore: storeAt(url),
  })
}

describeStores((name) => {
  test("proxies over sockets count as one", async () => {
    const redis = await startRedis(name)
    onTestFinished(() => redis.stop())
    const proxies = await Promise.all([start(redis.url), start(redis.url), start(redis.url)])
    const ask = async (at: number) => {
      const response = await proxies[at % 3]?.get("/v1/flags/dark.mode", headers)
      await response?.arrayBuffer()
      return response
    }
    for (let count = 0; count < 10; count++) {
      const response = await ask(count)
      expect(response?.status).toBe(200)
      expect(response?.headers.get("x-ratelimit-limit")).toBe("10")
      expect(response?.headers.get("x-ratelimit-remaining")).toBe(String(9 - count))
    }
    for (let count = 0; count < 3; count++) {
      const refused = await ask(count)
      expect(refused?.status).toBe(429)
      expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(990)
      expect(refused?.headers.get("x-ratelimit-remaining")).toBe("0")
    }
    const strangers = { headers: { authorization: "Bearer guess" } }
    expect((await fetch(`${proxies[0]?.proxy.url}/v1/flags`, strangers)).status).toBe(401)
    // The probe's bucket has no name; nothing is stored for strangers.
    const keys = (await redis.command("KEYS", "*")) as string[]
    expect(keys.filter((key) => key !== "flagstone:bucket:")).toEqual(["flagstone:bucket:web"])
    const [first] = proxies
    expect((await first?.admin("/metrics"))?.text).toContain("flagstone_rate_limit_store_up 1\n")
    expect((await first?.admin("/metrics"))?.text).toContain(
      'flagstone_rate_limit_decisions_total{source="local"} 0\n',
    )
    expect((await first?.admin("/metrics"))?.text).toMatch(
      /flagstone_rate_limit_store_duration_seconds_count [1-9]/,
    )
  })

  test("a proxy that cannot listen leaves no connection behind", async () => {
    const redis = await startRedis(name)
    onTestFinished(() => redis.stop())
    const { proxy } = await startTestProxy()
    const rateLimitStore = storeAt(redis.url)
    for (const taken of [{ port: proxy.port }, { adminPort: proxy.port }])
      await expect(startTestProxy({ ...taken, rateLimitStore })).rejects.toThrow("in use")
    const clients = async () =>
      String(await redis.command("CLIENT", "LIST", "TYPE", "normal"))
        .trim()
        .split("\n")
    await vi.waitFor(async () => expect(await clients(), "only the test's own").toHaveLength(1), 10_000)
  })
})

test("without its store a proxy is ready, answers immediately, and reports it", async () => {
  const address = `redis://ann:hush@127.0.0.1:${await freePort()}`
  const { get, admin, lines } = await start(address)
  expect((await get("/readyz")).status).toBe(200)
  const response = await get("/v1/flags", headers)
  expect(response.status).toBe(200)
  expect(response.headers.get("x-ratelimit-remaining")).toBe("9")
  const { text } = await admin("/metrics")
  expect(text).toContain("flagstone_rate_limit_store_up 0\n")
  expect(text).toContain('flagstone_rate_limit_decisions_total{source="local"} 1\n')
  const health = await admin("/health")
  expect(JSON.parse(health.text).rateLimitStore).toEqual({
    location: address.replace("ann:hush@", ""),
    trouble: expect.stringMatching("ECONNREFUSED"),
  })
  expect(lines.filter(({ level }) => Number(level) >= 40)).toHaveLength(1)
  expect(health.text + text + JSON.stringify(lines)).not.toMatch("hush")
})
