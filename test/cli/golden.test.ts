import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { runBuild } from "../../cli/commands/build.ts"
import { runLint } from "../../cli/commands/lint.ts"
import { testHost } from "../test-host.ts"

// Each case is a folder: `flags/` goes in; `diagnostics.txt` is what lint prints, and `dist/`, where the flags have
// no mistakes, what build writes. `npx vitest run -u golden` writes the expectations anew; read the diff.
const golden = join(import.meta.dirname, "..", "golden")

describe.each(readdirSync(golden))("%s", (name) => {
  /** Outside any repository, so that SOURCE_DATE_EPOCH gives the times. */
  function copy() {
    const cwd = mkdtempSync(join(tmpdir(), "flagstone-golden-"))
    cpSync(join(golden, name, "flags"), join(cwd, "flags"), { recursive: true })
    return testHost({ cwd, env: { SOURCE_DATE_EPOCH: "1800000000" } })
  }

  test("lint says what is wrong", async () => {
    const host = copy()
    const status = await runLint({ flags: "flags", format: "text" }, host)
    await expect(`${host.out()}${host.err()}exit ${status}\n`).toMatchFileSnapshot(
      join(golden, name, "diagnostics.txt"),
    )
  })

  test("build writes the snapshots, or nothing", async () => {
    const host = copy()
    const status = await runBuild({ flags: "flags", out: "dist" }, host)
    const written = readdirSync(host.cwd).includes("dist") ? readdirSync(join(host.cwd, "dist")) : []
    expect(status === 0).toBe(written.length > 0)
    const expected = join(golden, name, "dist")
    for (const file of existsSync(expected) ? readdirSync(expected) : []) expect(written).toContain(file)
    for (const file of written) {
      const text = readFileSync(join(host.cwd, "dist", file), "utf8")
      await expect(text).toMatchFileSnapshot(join(golden, name, "dist", file))
    }
  })
})
