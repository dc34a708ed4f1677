import { execFileSync } from "node:child_process"
import { hash } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { openBrowser, openTab } from "../browser.ts"
import { cloneProject, environment } from "./example-project.ts"
import { root } from "./pages.ts"

// Redraws docs/catalogue.webp: `node test/docs/catalogue-picture.ts`. Beside this file is written what it shows.

/** The picture that docs/catalogue.md has. */
export const picture = join(root, "docs/catalogue.webp")

/** What the picture shows, which a test compares with the page of today. */
export const shownFile = join(import.meta.dirname, "catalogue-picture.txt")

/** Draws the example project's catalogue on one day: the WebP, a third of a PNG, and the text that it shows. */
export async function drawCatalogue(): Promise<{ readonly image: Uint8Array; readonly shown: string }> {
  const cwd = cloneProject()
  execFileSync(process.execPath, [join(root, "cli/flagstone.js"), "catalog", "--out", "index.html"], {
    cwd,
    env: { ...environment(), FORCE_COLOR: "" },
    stdio: ["ignore", "ignore", "inherit"],
  })
  const browser = await openBrowser()
  try {
    const { page } = await openTab(browser)
    await page.setViewport({ width: 1240, height: 760 })
    await page.evaluateOnNewDocument(() => {
      Date.now = () => Date.UTC(2026, 10, 24)
    })
    await page.goto(pathToFileURL(join(cwd, "index.html")).href)
    await page.waitForSelector("tbody td:last-child small")
    const text = await page.$eval("body", ({ innerText }) => innerText)
    const style = await page.$eval("style", ({ textContent }) => textContent)
    // A commit's id depends on more than this repository holds.
    const shown = `style ${hash("sha256", style).slice(0, 16)}\n${text.replace(/[0-9a-f]{10}(?=,)/, "commit")}\n`
    return { image: await page.screenshot({ type: "webp", quality: 85 }), shown }
  } finally {
    await browser.close()
  }
}

if (import.meta.main) {
  const { image, shown } = await drawCatalogue()
  writeFileSync(picture, image)
  writeFileSync(shownFile, shown)
  console.log(`${picture}: ${image.length} bytes`)
}
