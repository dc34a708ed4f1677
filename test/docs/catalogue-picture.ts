import { execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { openBrowser } from "../browser.ts"
import { cloneProject, environment } from "./example-project.ts"
import { root } from "./pages.ts"

// Redraws docs/catalogue.webp, the example project's catalogue on one day: `node test/docs/catalogue-picture.ts`.

const cwd = cloneProject()
execFileSync(process.execPath, [join(root, "cli/flagstone.js"), "catalog", "--out", "index.html"], {
  cwd,
  env: { ...environment(), FORCE_COLOR: "" },
  stdio: ["ignore", "ignore", "inherit"],
})
const browser = await openBrowser()
try {
  const page = await browser.newPage()
  await page.setViewport({ width: 1240, height: 760 })
  await page.evaluateOnNewDocument(() => {
    Date.now = () => Date.UTC(2026, 10, 24)
  })
  await page.goto(pathToFileURL(join(cwd, "index.html")).href)
  await page.waitForSelector("tbody td:last-child small")
  const image = await page.screenshot({ type: "webp", quality: 85 }) // a third of a PNG
  writeFileSync(join(root, "docs/catalogue.webp"), image)
  console.log(`${image.length} bytes`)
} finally {
  await browser.close()
}
