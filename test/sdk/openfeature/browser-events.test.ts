// @module-tag system
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import type { OFREPWebProvider as WebProvider } from "@openfeature/ofrep-web-provider"
import type { Provider, OpenFeature as WebOpenFeature } from "@openfeature/web-sdk"
import type { Browser, Page } from "puppeteer-core"
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest"
import type { FlagEntry } from "../../../proxy/contract/snapshot.ts"
import { chromium, openBrowser } from "../../browser.ts"
import { createTestClock } from "../../proxy/events/test-clock.ts"
import { buildFiles, createKeySource, mintKey } from "../../proxy/fixtures.ts"
import { evaluatedFlags, flagOf } from "../../proxy/ofrep/evaluated-flags.ts"
import { startTestProxy } from "../../proxy/start-proxy.ts"
import { hasNginx, startNginxBefore } from "../../servers/nginx.ts"
import { bundled } from "./bundled.ts"

declare const OpenFeature: typeof WebOpenFeature
declare const OFREPWebProvider: typeof WebProvider

const theme = (value: string): readonly FlagEntry[] => [
  ...evaluatedFlags.filter(({ flag }) => flag.key < "theme"),
  flagOf("theme", "string", value),
]

describe.skipIf(chromium === undefined)(
  "OpenFeature's web provider in Chromium, on a page that nobody touches",
  () => {
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

    /** A proxy whose clock a test moves, and a page with a provider. */
    async function start(before = (url: string) => Promise.resolve(url)) {
      const clock = createTestClock(() => 0)
      const key = mintKey({ id: "browsers", for: "evaluate" })
      const config = {
        clock,
        schedule: clock.schedule,
        evaluateBucket: { capacity: 1000, refillPerSecond: 100 },
        corsOrigins: [origin],
        keys: createKeySource([key.record]),
      }
      const started = await startTestProxy({ ...config, adminPort: 0 })
      const { proxy, files, admin } = started
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
        if (pathname.startsWith("/ofrep") && method !== "OPTIONS")
          asked.push(`${method} ${response.status()}`)
      })
      await page.goto(origin)
      await page.addScriptTag({ content: script })
      await page.evaluate(
        async (baseUrl, apiKey) => {
          const headers: [string, string][] = [["Authorization", `Bearer ${apiKey}`]]
          const provider = new OFREPWebProvider({ baseUrl, headers, cacheMode: "disabled" })
          await OpenFeature.setProviderAndWait(provider as Provider)
        },
        await before(proxy.url),
        key.secret,
      )
      const listening = (count: number) =>
        vi.waitFor(
          async () => expect((await admin("/metrics")).text).toMatch(`flagstone_event_streams ${count}\n`),
          { timeout: 20_000, interval: 50 },
        )
      await listening(1)
      return { ...started, config, clock, page, asked, serve, listening }
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

    test.skipIf(!hasNginx)(
      "through nginx with its default buffering",
      async () => {
        const { page, serve } = await start(async (url) => {
          const nginx = await startNginxBefore(url)
          onTestFinished(() => nginx.stop())
          return nginx.url
        })
        await serve("rot")
        await shows(page, "rot")
      },
      60_000,
    )

    test("listens again with a new ticket when its own is too old", async () => {
      const { page, asked, clock, serve, listening } = await start()
      clock.pass(3 * 3_600_000) // the stream ends, and three hours later the ticket is too old
      await vi.waitFor(() => expect(asked).toContain("GET 401"), { timeout: 20_000, interval: 50 })
      await listening(1)
      // The tag covers the ticket: asked with If-None-Match for the same flags, the proxy answers 200 and another address.
      await vi.waitFor(() => expect(asked).toEqual(["POST 200", "GET 200", "GET 401", "POST 200", "GET 200"]))
      await serve("rot")
      await shows(page, "rot")
      await vi.waitFor(() => expect(asked.slice(5)).toEqual(["POST 200"]))
    }, 60_000)

    test("a proxy that is started again takes no old ticket, and gives another", async () => {
      const { page, asked, proxy, config } = await start()
      await proxy.stop()
      const next = await startTestProxy({ ...config, port: proxy.port, eventsSecret: "another one" })
      for (const [file, text] of buildFiles({ production: theme("rot") })) next.files.set(file, text)
      await next.proxy.reload()
      await shows(page, "rot", 20_000)
      expect(asked.filter((answer) => answer === "GET 401")).toHaveLength(1)
    }, 60_000)

    test("misses nothing between two streams", async () => {
      const { page, clock, serve } = await start()
      clock.pass(240_000)
      await serve("rot")
      await shows(page, "rot")
    }, 60_000)
  },
)
