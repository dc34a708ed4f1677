// @module-tag system
// @module-tag slow
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import type { OFREPWebProvider as WebProvider } from "@openfeature/ofrep-web-provider"
import type { Provider, OpenFeature as WebOpenFeature } from "@openfeature/web-sdk"
import type { Browser, Page } from "puppeteer-core"
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest"
import { chromium, openBrowser } from "../../browser.ts"
import { deliverySlots, readProgram } from "../../docs/openfeature-programs.ts"
import { runInPage } from "../../docs/run-program.ts"
import { buildFiles, createKeySource, createMapSource, mintKey } from "../../proxy/fixtures.ts"
import { flagOf } from "../../proxy/ofrep/evaluated-flags.ts"
import { startTestProxy } from "../../proxy/start-proxy.ts"
import { freePort } from "../../servers/ports.ts"
import { bundled } from "./bundled.ts"

declare const OpenFeature: typeof WebOpenFeature
declare const OFREPWebProvider: typeof WebProvider

// What docs/openfeature.md says of a page that starts while the proxy is down.
describe.skipIf(chromium === undefined)("a page in Chromium that starts while the proxy is down", () => {
  const key = mintKey({ id: "browsers", for: "evaluate" })
  const site = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html>")
  })
  let origin: string
  let browser: Browser
  beforeAll(async () => {
    await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve))
    origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    site.close()
  })

  const startProxyAt = (port: number, flags = [deliverySlots]) =>
    startTestProxy({
      port,
      corsOrigins: [origin],
      evaluateBucket: { capacity: 1000, refillPerSecond: 100 },
      snapshots: [createMapSource(buildFiles({ production: flags }))],
      keys: createKeySource([key.record]),
    })

  async function openPage(): Promise<Page> {
    const page = await browser.newPage()
    onTestFinished(() => page.close())
    await page.goto(origin)
    return page
  }

  /** Starts the provider as it is; resolves with its status and the flag's value. */
  async function start(page: Page, port: number) {
    await page.addScriptTag({ content: await bundled(join(import.meta.dirname, "page.ts"), "iife") })
    await page.evaluate(
      async (baseUrl, apiKey) => {
        const headers: [string, string][] = [["Authorization", `Bearer ${apiKey}`]]
        await OpenFeature.setContext({ targetingKey: "ann", appVersion: "4.13.0", postcode: "10115" })
        const provider = new OFREPWebProvider({ baseUrl, headers, pollInterval: 50 })
        await OpenFeature.setProviderAndWait(provider as Provider).catch(() => undefined)
      },
      `http://127.0.0.1:${port}`,
      key.secret,
    )
    return said(page)
  }
  const said = (page: Page) =>
    page.evaluate(() => {
      const client = OpenFeature.getClient()
      const { value, reason } = client.getBooleanDetails("delivery-slots", false)
      return [client.providerStatus, value, reason]
    })

  test("has flags as soon as there is a proxy, with the page's program", async () => {
    const port = await freePort()
    const page = await openPage()
    const failed = new Promise((resolve) => page.once("requestfailed", resolve))
    const program = readProgram("js", "browser", `http://127.0.0.1:${port}`)
      .replace("OpenFeature.setProviderAndWait(new", "startFlags(() => new")
      .replace("FLAGSTONE_API_KEY", key.secret)
    const printed = runInPage(page, program + readProgram("js", "recovers", ""))
    await failed
    await startProxyAt(port)
    expect(await printed).toBe("true")
  })

  test("has none without it, even if it polls", async () => {
    const port = await freePort()
    const page = await openPage()
    expect(await start(page, port)).toEqual(["ERROR", false, "ERROR"])
    await startProxyAt(port)
    await passTime(page, 120_000)
    expect(await said(page)).toEqual(["ERROR", false, "ERROR"])
  })

  test("has those that the browser had before, and catches up", { tags: ["slow"] }, async () => {
    const port = await freePort()
    const { proxy } = await startProxyAt(port)
    const first = await browser.newPage()
    await first.goto(origin)
    expect(await start(first, port)).toEqual(["READY", true, "TARGETING_MATCH"])
    await first.close()
    await Promise.all([proxy.stop(), proxy.stop()])
    const page = await openPage()
    expect((await start(page, port)).slice(1)).toEqual([true, "CACHED"])
    await startProxyAt(port, [flagOf("delivery-slots", "boolean", false)])
    const caughtUp = async () => expect((await said(page)).slice(1)).toEqual([false, "STATIC"])
    await vi.waitFor(caughtUp, { timeout: 20_000, interval: 100 })
  })
})

/** Lets timers of the page run as if so many milliseconds had passed. */
async function passTime(page: Page, budget: number): Promise<void> {
  const session = await page.createCDPSession()
  const passed = new Promise((resolve) => session.once("Emulation.virtualTimeBudgetExpired", resolve))
  await session.send("Emulation.setVirtualTimePolicy", { policy: "advance", budget })
  await passed
}
