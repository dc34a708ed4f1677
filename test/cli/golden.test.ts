import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { describe, expect, test } from "vitest"
import { runBuild } from "../../cli/commands/build.ts"
import { runLint } from "../../cli/commands/lint.ts"
import { codes } from "../../cli/diagnostics/codes.ts"
import { testHost } from "../test-host.ts"

// Each case is a folder with `flags/` in it: `diagnostics.txt` is what lint prints of them and, where they have no
// errors, `dist/` is what build writes. A folder at the top that has the name of a code holds that code's cases.
// `npx vitest run golden -u` writes the expected files; read the diff.
const golden = join(import.meta.dirname, "..", "golden")

const cases = readdirSync(golden, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith("/flags"))
  .map(dirname)
  .sort()

describe.each(cases)("%s", (name) => {
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

/** What no folder of small files can show: it needs a large file, a repository or two revisions. */
const shownElsewhere = [
  "file-too-large",
  "shallow-clone",
  "not-in-git",
  "not-committed",
  "type-changed",
  "removed-while-enabled",
  "order-changes-results",
  "percentage-decreased",
  "percentage-jumped",
  "on-before-staging",
]

test.each(Object.keys(codes).filter((code) => !shownElsewhere.includes(code)))("%s has a folder", (code) => {
  const own = cases.filter((name) => name === code || name.startsWith(`${code}/`))
  expect(own).not.toEqual([])
  for (const name of own) {
    expect(readFileSync(join(golden, name, "diagnostics.txt"), "utf8")).toMatch(
      new RegExp(` (error|warning) ${code}$`, "m"),
    )
  }
})
