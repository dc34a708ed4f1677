// @module-tag system
// @module-tag slow
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { OFREPWebProvider as WebProvider } from "@openfeature/ofrep-web-provider"
import type { Provider, OpenFeature as WebOpenFeature } from "@openfeature/web-sdk"
import type { Browser, Page } from "puppeteer-core"
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest"
import type { FlagEntry } from "../../../sdk/contract/snapshot.ts"
import { chromium, openBrowser } from "../../browser.ts"
import { createTestClock } from "../../proxy/events/test-clock.ts"
import { buildFiles, createKeySource, mintKey } from "../../proxy/fixtures.ts"
import { evaluatedFlags, flagOf } from "../../proxy/ofrep/evaluated-flags.ts"
import { startTestProxy } from "../../proxy/start-proxy.ts"
import { startRelay } from "../../servers/relay.ts"
import { bundled } from "./bundled.ts"

declare const OpenFeature: typeof WebOpenFeature
declare const OFREPWebProvider: typeof WebProvider

const theme = (value: string): readonly FlagEntry[] => [
  ...evaluatedFlags.filter(({ flag }) => flag.key < "theme"),
  flagOf("theme", "string", value),
]

const day = 24 * 3_600_000

describe.skipIf(chromium === undefined)("OpenFeature's web provider in Chromium, on an idle page", () => {
  let browser: Browser
  let script: string
  let origin: string
  const pages = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html>")
  })

  beforeAll(async () => {
    await new Promise<void>((resolve) => pages.listen(0, "127.0.0.1", resolve))
    origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`
    script = await bundled(join(import.meta.dirname, "page.ts"), "iife")
    browser = await openBrowser()
  }, 120_000)

  afterAll(async () => {
    await browser?.close()
    pages.close()
  })

  /** A proxy whose clock a test moves, a relay and an optional server in front of it, and a page with a provider. */
  async function start({
    before = async (url: string) => url,
    eventStreams = 10,
    inactivityDelaySec = 120,
  } = {}) {
    const clock = createTestClock(() => 0)
    const key = mintKey({ id: "browsers", for: "evaluate" })
    const keys = [key.record]
    const config = {
      clock,
      schedule: clock.schedule,
      evaluateBucket: { capacity: 1000, refillPerSecond: 100 },
      corsOrigins: [origin],
      keys: createKeySource(keys),
      eventStreams,
    }
    const started = await startTestProxy({ ...config, adminPort: 0 })
    const { proxy, files, admin } = started
    const relay = await startRelay(proxy.port)
    async function serve(value: string): Promise<void> {
      for (const [file, text] of buildFiles({ production: theme(value) })) files.set(file, text)
      await proxy.reload()
      clock.pass(100)
    }
    await serve("grün")
    const page = await browser.newPage()
    onTestFinished(() => page.close())
    const asked: string[] = []
    page.on("response", (response) => {
      const { pathname } = new URL(response.url())
      const method = response.request().method()
      if (pathname.startsWith("/ofrep") && method !== "OPTIONS") asked.push(`${method} ${response.status()}`)
    })
    await page.goto(origin)
    await page.addScriptTag({ content: script })
    await page.evaluate(
      async (baseUrl, apiKey, inactivityDelaySec) => {
        const headers: [string, string][] = [["Authorization", `Bearer ${apiKey}`]]
        const options = { baseUrl, headers, inactivityDelaySec, cacheMode: "disabled" } as const
        await OpenFeature.setProviderAndWait(new OFREPWebProvider(options) as Provider)
      },
      await before(relay.url),
      key.secret,
      inactivityDelaySec,
    )
    const listening = (count: number) =>
      vi.waitFor(
        async () => expect((await admin("/metrics")).text).toMatch(`flagstone_event_streams ${count}\n`),
        { timeout: 20_000, interval: 50 },
      )
    await listening(1)
    const status = () => page.evaluate(() => OpenFeature.getClient().providerStatus)
    return { ...started, relay, key, keys, config, clock, page, asked, serve, listening, status }
  }

  const shows = (page: Page, value: string, timeout = 5_000) =>
    vi.waitFor(
      async () =>
        expect(await page.evaluate(() => OpenFeature.getClient().getStringValue("theme", ""))).toBe(value),
      { timeout, interval: 50 },
    )

  test("shows a change when the proxy has it, and asks for nothing else", async () => {
    const { page, asked, serve } = await start()
    await shows(page, "grün")
    await serve("rot")
    await shows(page, "rot")
    await vi.waitFor(() => expect(asked).toEqual(["POST 200", "GET 200", "POST 200"]))
  }, 60_000)

  test("listens again with a new ticket when the old one expires", async () => {
    const { page, asked, clock, serve, listening } = await start()
    clock.pass(day) // the stream ends, and the ticket is too old
    await vi.waitFor(() => expect(asked).toContain("GET 401"), { timeout: 20_000, interval: 50 })
    await listening(1)
    // The tag covers the ticket: asked with If-None-Match for the same flags, the proxy answers 200 and a new address.
    await vi.waitFor(() => expect(asked).toEqual(["POST 200", "GET 200", "GET 401", "POST 200", "GET 200"]))
    await serve("rot")
    await shows(page, "rot")
    await vi.waitFor(() => expect(asked.slice(5)).toEqual(["POST 200"]))
  }, 60_000)

  test("misses nothing between two streams", async () => {
    const { page, asked, serve, relay } = await start()
    relay.cutStreams()
    await serve("rot")
    await shows(page, "rot")
    await vi.waitFor(() => expect(asked).toEqual(["POST 200", "GET 200", "GET 200", "POST 200"]))
  }, 60_000)

  test("a revoked key ends its stream: the flags stay as they are, and the provider is stale", async () => {
    const { page, asked, serve, keys, status } = await start()
    const [record] = keys
    if (record !== undefined) keys[0] = { ...record, revokedAt: 0 }
    await serve("rot")
    await vi.waitFor(async () => expect(await status()).toBe("STALE"))
    await vi.waitFor(() => expect(asked).toEqual(["POST 200", "GET 200", "GET 401", "POST 401"]), 10_000)
    await shows(page, "grün")
  }, 60_000)

  test("a connection that died silently is replaced when a hidden page is shown", async () => {
    const { page, serve, relay, listening, status } = await start({ inactivityDelaySec: 0.1 })
    relay.freezeStreams()
    await serve("rot")
    const other = await browser.newPage()
    await other.bringToFront()
    await sleep(500)
    await shows(page, "grün")
    await page.bringToFront()
    await shows(page, "rot")
    await listening(2) // the proxy was not told of the end of the dead one either
    await serve("blau")
    await shows(page, "blau")
    expect(await status()).toBe("READY")
    await other.close()
  }, 60_000)
})
