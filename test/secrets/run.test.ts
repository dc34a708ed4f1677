// @module-tag system
// @module-tag slow
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { expect, test } from "vitest"

test("a run whose tests pass but leak fails, and says which test leaked where", () => {
  const folder = mkdtempSync(join(tmpdir(), "flagstone-planted-"))
  const script = `
    import { startVitest } from "vitest/node"
    import config from "./vitest.config.ts"
    const { test } = config.test.projects.at(-1)
    const projects = [{ test: { ...test, include: ["test/secrets/planted.ts"] } }]
    const run = await startVitest("test", [], { watch: false, projects })
    await run.exit()`
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: resolve(import.meta.dirname, "../.."),
    env: { ...process.env, NODE_OPTIONS: "", PLANTED_FOLDER: folder, NO_COLOR: "1" }, // it has its own watch
    encoding: "utf8",
  })
  rmSync(folder, { recursive: true })
  expect(stdout).toMatch(/Tests {2}7 passed \(7\)/)
  expect(status).toBe(1)
  const leaks = [...stderr.matchAll(/test\/secrets\/planted\.ts: (.*), says (.*) the secret/g)]
  expect(leaks.map(([, where, form]) => `${where?.replace(/\d+\)/, "…)")} ${form}`).toSorted()).toEqual([
    "an answer with status 200, line 7 openly",
    "an answer with status 500, line 7 in base64",
    "stderr of command 1, line 1 openly",
    "stderr of flagstone build (process …), line 1 openly",
    "stderr of flagstone build (process …), line 1 openly",
    "the log of a proxy, line 1 openly",
  ])
  expect(stdout + stderr).not.toMatch(/fsk_\w{49}/)
})
