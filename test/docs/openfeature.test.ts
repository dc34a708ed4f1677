// @module-tag system
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, test } from "vitest"
import { buildFiles, createMapSource } from "../proxy/fixtures.ts"
import { startTestProxy } from "../proxy/start-proxy.ts"
import { deliverySlots, readProgram } from "./openfeature-programs.ts"
import { root } from "./pages.ts"

// Browsers' program is run by test/sdk/openfeature/browser.test.ts, those of other languages by `npm run test:clients`.

test("the program for Node of docs/openfeature.md prints what it says", async () => {
  const { proxy, secret } = await startTestProxy({
    snapshots: [createMapSource(buildFiles({ production: [deliverySlots] }))],
  })
  const folder = mkdtempSync(join(tmpdir(), "flagstone-node-"))
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
  const source = join(root, "sdk/openfeature/provider.ts") // of which flagstone-sdk/openfeature is compiled
  const program = readProgram("js", "node", proxy.url).replace("flagstone-sdk/openfeature", source)
  writeFileSync(join(folder, "program.mjs"), program)
  const env = { ...process.env, FLAGSTONE_API_KEY: secret }
  const { stdout } = await promisify(execFile)(process.execPath, ["program.mjs"], { cwd: folder, env })
  expect(stdout).toBe("true\n")
  rmSync(folder, { recursive: true })
})
