import { spawn } from "node:child_process"
import { once } from "node:events"
import { rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { createRequire } from "node:module"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import type { Browser, Page } from "puppeteer-core"
import { build, type RolldownOutput } from "rolldown"
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { chromium, openBrowser } from "../browser.ts"
import { deliverySlots, readProgram } from "../docs/openfeature-programs.ts"
import { blocksOf, readPage } from "../docs/pages.ts"
import { buildFiles, createKeySource, createMapSource, mintKey } from "../proxy/fixtures.ts"
import { startTestProxy } from "../proxy/start-proxy.ts"
import { type Installed, installPacked } from "../sdk/packed.ts"
import { freePort, untilListening } from "../servers/ports.ts"

// The programs of docs/web.md, in files of their names, beside the packages that they import and what calls them.

const server = `import { createServer } from "node:http"
import { render } from "./render.jsx"

createServer(async ({ url }, response) => {
  if (url === "/page.js") return response.end()
  const context = { targetingKey: "ann", appVersion: "4.13.0", postcode: "10115" }
  response.writeHead(200, { "content-type": "text/html" }).end(await render(context))
}).listen(3000, "127.0.0.1")
`

/** The browsers' program of docs/openfeature.md, which renders where it would print. */
const react = `import { createRoot } from "react-dom/client"
import { App } from "./app.jsx"

${readProgram("js", "browser", "http://127.0.0.1:8080").replace(
  /^console.*/m,
  'createRoot(document.getElementById("root")).render(<App client={OpenFeature.getClient()} />)',
)}`

/** The page's program with overrides, which renders. */
const overridden = `import { OpenFeature } from "@openfeature/web-sdk"
import { createRoot } from "react-dom/client"
import { App } from "./app.jsx"
import "./override.js"

createRoot(document.getElementById("root")).render(<App client={OpenFeature.getClient()} />)`

const programs = [
  ...blocksOf(readPage("docs/web.md").text),
  { info: "overridden.jsx", text: overridden },
  { info: "server.jsx", text: server },
  { info: "react.jsx", text: react },
]
const snapshot = buildFiles({ production: [deliverySlots] }).get("production.json")
const read = mintKey({ id: "server" })
const evaluate = mintKey({ id: "page", for: "evaluate" })

let application: Installed
beforeAll(() => {
  application = installPacked(
    "@openfeature/core@1.12.0",
    "@openfeature/localstorage-provider@0.1.2",
    "@openfeature/ofrep-web-provider@0.4.3",
    "@openfeature/react-sdk@1.4.1",
    "@openfeature/server-sdk@1.23.0",
    "@openfeature/web-sdk@1.10.0",
    "miniflare@4.20260426.0",
    "react@19.3.1",
    "react-dom@19.3.1",
  )
})
afterAll(() => rmSync(application.folder, { recursive: true }))

const bundled = () => join(application.folder, "bundled")

const codeOf = ([entry]: RolldownOutput["output"]) => entry.code

/** Writes the programs with these addresses instead of the page's, and bundles one as an application would. */
async function bundle(
  name: string,
  platform: "browser" | "node" | "neutral",
  changes: Record<string, string>,
) {
  for (const { info, text } of programs)
    writeFileSync(
      join(application.folder, info),
      Object.entries(changes).reduce((text, [from, to]) => text.replaceAll(from, to), text),
    )
  const { output } = await build({
    input: join(application.folder, name),
    platform,
    transform: { define: { "process.env.NODE_ENV": '"production"' } },
    ...(platform === "node" && { external: /^[^./]/ }),
    output: { dir: bundled(), codeSplitting: platform === "neutral" },
  })
  return output
}

describe.skipIf(chromium === undefined)("React in Chromium", () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  /** Serves a page and its script. */
  async function serve(html: () => Promise<string>, script: () => string): Promise<string> {
    const site = createServer(async ({ url }, response) => {
      const isScript = url === "/page.js"
      response.writeHead(200, { "content-type": isScript ? "text/javascript" : "text/html" })
      response.end(isScript ? script() : await html())
    }).listen(0, "127.0.0.1")
    await once(site, "listening")
    onTestFinished(() => void site.close())
    return `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  }

  const startProxy = (origin: string, files = buildFiles({ production: [deliverySlots] })) =>
    startTestProxy({
      corsOrigins: [origin],
      evaluateBucket: { capacity: 1000, refillPerSecond: 100 },
      snapshots: [createMapSource(files)],
      keys: createKeySource([read.record, evaluate.record]),
    })

  /** What a page has shown, in order. */
  async function openRecording(
    origin: string,
  ): Promise<{ readonly page: Page; shown(): Promise<string[]>; readonly trouble: string[] }> {
    const page = await browser.newPage()
    onTestFinished(() => page.close())
    const trouble: string[] = []
    page.on("console", (message) => trouble.push(message.text()))
    page.on("pageerror", (error) => trouble.push(String(error)))
    await page.evaluateOnNewDocument(() => {
      const shown: string[] = []
      Object.assign(globalThis, { shown })
      const look = () => {
        const text = document.querySelector("#root p")?.textContent ?? ""
        if (text !== "" && text !== shown.at(-1)) shown.push(text)
      }
      new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true })
    })
    await page.goto(origin)
    const shown = () => page.evaluate(() => (globalThis as unknown as { shown: string[] }).shown)
    return { page, shown, trouble }
  }

  /** Opens a page whose only script is a program. */
  async function openProgram(name: string) {
    let script = ""
    const html = '<!doctype html><div id="root"></div><script type="module" src="/page.js"></script>'
    const origin = await serve(
      async () => html,
      () => script,
    )
    const files = buildFiles({ production: [deliverySlots] })
    const { proxy } = await startProxy(origin, files)
    const changes = { "http://127.0.0.1:8080": proxy.url, FLAGSTONE_API_KEY: evaluate.secret }
    script = codeOf(await bundle(name, "browser", changes))
    const opened = await openRecording(origin)
    await opened.page.waitForFunction('document.body.textContent.includes("Choose")')
    return { ...opened, files, proxy }
  }

  test("shows the flag when the proxy has answered", async () => {
    const { shown } = await openProgram("react.jsx")
    expect((await shown()).at(-1)).toBe("Choose an hour.")
  })

  test("shows the value that this browser's storage has, and follows the proxy without it", async () => {
    const { page, files, proxy } = await openProgram("overridden.jsx")
    const reload = async (storage: string, words: string) => {
      await page.evaluate(storage)
      await page.reload()
      await page.waitForFunction(`document.body.textContent.includes("${words}")`)
    }
    await reload('localStorage.setItem("flag.delivery-slots", "false")', "tomorrow")
    await reload('localStorage.removeItem("flag.delivery-slots")', "Choose")
    await reload('localStorage.setItem("flag.delivery-slots", "maybe")', "tomorrow") // the default in the code
    await reload("localStorage.clear()", "Choose")
    for (const [file, text] of buildFiles({ production: [] })) files.set(file, text)
    await proxy.reload()
    await page.waitForFunction('document.body.textContent.includes("tomorrow")')
  })

  test("a page that a server renders shows the flag from the first byte on, and nothing flashes", async () => {
    let script = ""
    const port = await freePort()
    const html = async () => (await fetch(`http://127.0.0.1:${port}`)).text()
    const origin = await serve(html, () => script)
    const files = buildFiles({ production: [deliverySlots] })
    const { proxy } = await startProxy(origin, files)
    const changes = { "http://127.0.0.1:8080": proxy.url, ".listen(3000,": `.listen(${port},` }
    await bundle("server.jsx", "node", changes)
    const env = { ...process.env, FLAGSTONE_API_KEY: read.secret }
    const server = spawn(process.execPath, [join(bundled(), "server.js")], {
      env,
      stdio: "inherit",
    })
    onTestFinished(() => void server.kill())
    await untilListening(port)
    const own = { ...changes, FLAGSTONE_API_KEY: evaluate.secret }
    script = codeOf(await bundle("page.jsx", "browser", own))
    const { page, shown, trouble } = await openRecording(origin)
    await page.waitForResponse((response) => response.url().includes("/ofrep/v1/events"))
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
    await page.reload() // now the page's provider has flags at once, from the browser's storage
    await page.waitForResponse((response) => response.url().includes("/ofrep/v1/events"))
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
    expect(trouble).toEqual([])
    expect(await shown()).toEqual(["Choose an hour."])
    for (const [file, text] of buildFiles({ production: [] })) files.set(file, text)
    await proxy.reload()
    await page.waitForFunction('document.body.textContent.includes("tomorrow")')
    expect(await shown()).toEqual(["Choose an hour.", "We deliver tomorrow."])
  })
})

test("a Worker evaluates a document from a CDN, and asks for it with its tag", async () => {
  const asked: number[] = []
  const cdn = createServer(({ headers }, response) => {
    asked.push(headers["if-none-match"] === '"a"' ? 304 : 200)
    response.writeHead(asked.at(-1) ?? 500, { etag: '"a"' })
    response.end(asked.at(-1) === 200 ? snapshot : "")
  }).listen(0, "127.0.0.1")
  await once(cdn, "listening")
  onTestFinished(() => void cdn.close())
  const { port } = cdn.address() as AddressInfo
  const address = "https://flags.example/production/v1/flags"
  const changes = { [address]: `http://127.0.0.1:${port}`, "30_000": "0" }
  const chunks = await bundle("worker.js", "neutral", changes)
  const { Miniflare } = createRequire(join(application.folder, "package.json"))("miniflare")
  const worker = new Miniflare({
    modules: chunks.map(({ fileName }) => ({ type: "ESModule", path: `${bundled()}/${fileName}` })),
    modulesRoot: bundled(),
    compatibilityDate: "2026-01-01",
  })
  onTestFinished(() => worker.dispose())
  const ask = async () => (await worker.dispatchFetch("http://127.0.0.1/")).text()
  expect([await ask(), await ask()]).toEqual(["Choose an hour.", "Choose an hour."])
  expect(asked).toEqual([200, 304])
  cdn.close()
  cdn.closeAllConnections()
  expect(await ask()).toBe("Choose an hour.")
})
