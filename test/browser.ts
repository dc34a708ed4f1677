import { existsSync } from "node:fs"
import { type Browser, launch, type Page } from "puppeteer-core"

/** Debian's Chromium; `undefined` if it is not installed, which callers of `openBrowser` report. */
export const chromium = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync)
if (chromium === undefined) console.warn("SKIPPED: the tests in a browser, because chromium is not installed")

/** Starts a headless browser with an empty profile. */
export function openBrowser(): Promise<Browser> {
  // As root, in a container, Chromium has no sandbox of its own.
  const args = ["--no-sandbox", "--disable-dev-shm-usage"]
  return launch({ executablePath: chromium ?? "chromium", args })
}

/** A tab that records everything that must not happen: errors, console output, requests for anything except the page. */
export async function openTab(
  browser: Browser,
): Promise<{ readonly page: Page; readonly trouble: readonly string[] }> {
  const page = await browser.newPage()
  const trouble: string[] = []
  page.on("console", (message) => trouble.push(`console: ${message.text()}`))
  page.on("pageerror", (error) => trouble.push(`error: ${String(error)}`))
  page.on("request", (request) => {
    const isOwn = request.isNavigationRequest() && request.frame() === page.mainFrame()
    if (!isOwn && !request.url().startsWith("data:")) trouble.push(`request: ${request.url()}`)
  })
  return { page, trouble }
}
