import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import type { Page as BrowserPage } from "puppeteer-core"
import { bundled } from "../sdk/openfeature/bundled.ts"
import { root } from "./pages.ts"

/** Runs a program of a page on Node, beside this repository's packages. Resolves with what it prints. */
export async function runOnNode(program: string, variables: NodeJS.ProcessEnv): Promise<string> {
  const source = join(root, "sdk/openfeature/provider.ts") // of which flagstone-sdk/openfeature is compiled
  return withFile("program.mjs", program.replace("flagstone-sdk/openfeature", source), async (file) => {
    const env = { ...process.env, ...variables }
    return (await promisify(execFile)(process.execPath, [file], { env })).stdout
  })
}

/** Runs a program of a page in a browser's. Resolves with the first line that it prints, whatever the browser reports. */
export async function runInPage(page: BrowserPage, program: string): Promise<string> {
  const printed = new Promise<string>((resolve) => {
    page.on("console", (message) => {
      if (message.type() === "log") resolve(message.text())
    })
  })
  await withFile("program.js", program, async (file) =>
    page.addScriptTag({ type: "module", content: await bundled(file, "esm") }),
  )
  return printed
}

async function withFile<T>(name: string, text: string, use: (file: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "flagstone-program-"))
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
  writeFileSync(join(folder, name), text)
  try {
    return await use(join(folder, name))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
