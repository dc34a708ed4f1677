// @module-tag system
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import type { OFREPWebProvider as WebProvider } from "@openfeature/ofrep-web-provider"
import type { Provider, OpenFeature as WebOpenFeature } from "@openfeature/web-sdk"
import type { Browser, HTTPResponse, Page } from "puppeteer-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { FlagEntry } from "../../../sdk/contract/snapshot.ts"
import { chromium, openBrowser } from "../../browser.ts"
import { deliverySlots, readProgram } from "../../docs/openfeature-programs.ts"
import { runInPage } from "../../docs/run-program.ts"
import { buildFiles, createKeySource, createMapSource, mintKey } from "../../proxy/fixtures.ts"
import { evaluatedFlags } from "../../proxy/ofrep/evaluated-flags.ts"
import { startTestProxy } from "../../proxy/start-proxy.ts"
import { bundled } from "./bundled.ts"

declare const OpenFeature: typeof WebOpenFeature
declare const OFREPWebProvider: typeof WebProvider

describe.skipIf(chromium === undefined)("OpenFeature's web provider in Chromium, from another origin", () => {
  const browsers = mintKey({
    id: "browsers",
    for: "evaluate",
    rateLimit: { capacity: 1000, refillPerSecond: 1 },
  })
  const narrow = mintKey({
    id: "narrow",
    for: "evaluate",
    rateLimit: { capacity: 1, refillPerSecond: 0.001 },
  })
  let browser: Browser
  let page: Page
  let proxyUrl: string
  const pages = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html>")
  })

  beforeAll(async () => {
    await new Promise<void>((resolve) => pages.listen(0, "127.0.0.1", resolve))
    const origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`
    const { proxy } = await startTestProxy({
      evaluateBucket: { capacity: 1000, refillPerSecond: 100 },
      corsOrigins: [origin],
      snapshots: [
        createMapSource(buildFiles({ production: [deliverySlots, ...evaluatedFlags].sort(byKey) })),
      ],
      keys: createKeySource([browsers.record, narrow.record]),
    })
    proxyUrl = proxy.url
    browser = await openBrowser()
    page = await browser.newPage()
    await page.goto(origin)
    await page.addScriptTag({ content: await bundled(join(import.meta.dirname, "page.ts"), "iife") })
  }, 120_000)

  afterAll(async () => {
    await browser?.close()
    pages.close()
  })

  /** Starts with a provider; returns its status and a string. */
  function start(domain: string, apiKey: string, pollInterval = 0): Promise<readonly [string, string]> {
    return page.evaluate(
      async (domain, baseUrl, apiKey, pollInterval) => {
        await OpenFeature.setContext(domain, { targetingKey: "ann", plan: "free" })
        const provider = new OFREPWebProvider({
          baseUrl,
          headers: [["Authorization", `Bearer ${apiKey}`]],
          cacheMode: "disabled",
          ...(pollInterval > 0 && { pollInterval, changeDetection: "polling" as const }),
        })
        await OpenFeature.setProviderAndWait(domain, provider as Provider).catch(() => undefined)
        const client = OpenFeature.getClient(domain)
        return [client.providerStatus, client.getStringValue("theme", "fallback")] as const
      },
      domain,
      proxyUrl,
      apiKey,
      pollInterval,
    )
  }

  /** Gives the same user a plan; returns the flag's string value. */
  function changePlan(domain: string, plan: string): Promise<string> {
    return page.evaluate(
      async (domain, plan) => {
        await OpenFeature.setContext(domain, { targetingKey: "ann", plan })
        return OpenFeature.getClient(domain).getStringValue("theme", "fallback")
      },
      domain,
      plan,
    )
  }

  const asked = (status: number) =>
    page.waitForResponse(
      (response: HTTPResponse) => response.request().method() === "POST" && response.status() === status,
    )

  test("reads flags, and new ones for the same user in a new context", async () => {
    expect(await start("changing", browsers.secret)).toEqual(["READY", "grün"])
    const answered = asked(200)
    expect(await changePlan("changing", "pro")).toBe("gold")
    expect((await answered).request().headers()["if-none-match"]).toMatch(/^"[0-9a-f]{32}"$/)
    expect(await changePlan("changing", "free")).toBe("grün")
  })

  test("sees the tag, and is told that nothing has changed", async () => {
    const answered = asked(304)
    expect(await start("polling", browsers.secret, 50)).toEqual(["READY", "grün"])
    expect((await answered).headers().etag).toMatch(/^"[0-9a-f]{32}"$/)
    await page.evaluate(() => OpenFeature.clearProviders())
  })

  test("gives up if its key is not valid", async () => {
    const answered = asked(401)
    expect(await start("refused", mintKey().secret)).toEqual(["FATAL", "fallback"])
    await answered
  })

  test("keeps the flags that it has, and stops asking, if there are too many requests", async () => {
    expect(await start("limited", narrow.secret)).toEqual(["READY", "grün"])
    const answered = asked(429)
    expect(await changePlan("limited", "pro")).toBe("grün")
    expect((await answered).headers()["retry-after"]).toBe("1000")
    let posts = 0
    page.on("request", (request) => {
      if (request.method() === "POST") posts++
    })
    expect(await changePlan("limited", "free")).toBe("grün")
    expect(posts).toBe(0)
  })

  test("runs the program of docs/openfeature.md", async () => {
    const program = readProgram("js", "browser", proxyUrl).replace("FLAGSTONE_API_KEY", browsers.secret)
    expect(await runInPage(page, program)).toBe("true")
  })
})

function byKey(one: FlagEntry, other: FlagEntry): number {
  return one.flag.key < other.flag.key ? -1 : 1
}
