import { execFile } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { micromark } from "micromark"
import { gfm, gfmHtml } from "micromark-extension-gfm"
import { openBrowser } from "../browser.ts"
import { cloneProject, commit, environment } from "./example-project.ts"
import { root } from "./pages.ts"

// Redraws docs/comment.webp, the comment that the README shows: `node test/docs/comment-picture.ts`.

/** CI's comment on a pull request that raises one share and switches another flag off. */
async function readComment(): Promise<string> {
  const cwd = cloneProject()
  edit(join(cwd, "flags/checkout/one-page-checkout.yaml"), "to: 10", "to: 75")
  edit(
    join(cwd, "flags/shipping/delivery-slots.yaml"),
    "production:\n    enabled: true",
    "production:\n    enabled: false",
  )
  commit(cwd, "Checkout for three customers in four, and no delivery slots")
  const args = ["diff", "HEAD^", "HEAD", "--format", "markdown"]
  const options = { cwd, env: { ...environment(), FORCE_COLOR: "" } }
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(root, "cli/flagstone.js"), ...args],
    options,
  )
  const ids = ["1f0c2ab7de", "b93d07c5a1"] // the real ones depend on more than this repository holds
  return stdout.replace(/(?<=\(`)[0-9a-f]{10}(?=`\))/g, () => ids.shift() ?? "")
}

function edit(file: string, before: string, after: string): void {
  const text = readFileSync(file, "utf8")
  if (!text.includes(before)) throw new Error(`${file} does not say ${before}`)
  writeFileSync(file, text.replace(before, after))
}

const style = `
  body { margin: 0; padding: 16px; background: #fff; color: #1f2328; font: 15px/1.5 system-ui, "Noto Sans", Helvetica, Arial, sans-serif }
  article { border: 1px solid #c8d1da; border-radius: 8px; width: 900px; overflow: hidden }
  header { background: #f3f5f8; border-bottom: 1px solid #c8d1da; padding: 8px 16px; color: #59636e }
  header b { color: #1f2328 }
  section { padding: 2px 16px 6px }
  code { background: #eff1f4; border-radius: 5px; padding: 1px 5px; font: 13px "DejaVu Sans Mono", monospace }
  table { border-collapse: collapse; margin: 10px 0 } th, td { border: 1px solid #d1d9e0; padding: 5px 11px; text-align: left; vertical-align: top }
  th { background: #f6f8fa } h3 { margin: 12px 0 6px; font-size: 16px } ul { margin: 6px 0; padding-left: 22px } p { margin: 8px 0 }
`

async function draw(markdown: string): Promise<Uint8Array> {
  const html = micromark(markdown, {
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
    allowDangerousHtml: true,
  })
  const browser = await openBrowser()
  try {
    const page = await browser.newPage()
    await page.setViewport({ width: 934, height: 400, deviceScaleFactor: 1.5 })
    await page.setContent(
      `<!doctype html><meta charset="utf-8"><style>${style}</style><article><header><b>github-actions</b> commented on this pull request</header><section>${html}</section></article>`,
    )
    return await page.screenshot({ type: "webp", quality: 85, fullPage: true })
  } finally {
    await browser.close()
  }
}

const image = await draw(await readComment())
writeFileSync(join(root, "docs/comment.webp"), image)
console.log(`${image.length} bytes`)
