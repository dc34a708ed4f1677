// @module-tag system
// @module-tag slow
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createProjectRepository, type Outcome } from "../repository.ts"
import { hasWine, startWindows, type Windows, windowsPath } from "./wine.ts"

const cli = windowsPath(resolve(import.meta.dirname, "../../cli/flagstone.js"))

// Both a blank and a letter outside ASCII are in many users' folders.
describe.runIf(hasWine)("on Windows, in `Ann Müller`", { timeout: 600_000 }, () => {
  let windows: Windows
  beforeAll(async () => {
    windows = await startWindows()
  }, 600_000)
  afterAll(() => windows?.stop())

  const flagstone = async (cwd: string, ...args: readonly string[]): Promise<Outcome> => {
    const outcome = await windows.run(cwd, [cli, ...args])
    expect({ args, ...outcome }).toMatchObject({ status: 0 })
    return outcome
  }
  const makeFolder = () => {
    const folder = join(mkdtempSync(join(tmpdir(), "flagstone-")), "Ann Müller")
    mkdirSync(folder)
    return folder
  }

  test("init makes a project that lint accepts", async () => {
    const folder = makeFolder()
    await flagstone(folder, "init", "--project", "shop")
    expect(existsSync(join(folder, "flags/project.yaml"))).toBe(true)
    await flagstone(folder, "lint")
  })

  test("build writes the same bytes, keys create and publish work, and CRLF changes nothing", async () => {
    const repository = createProjectRepository()
    repository.commitFlags({ a: true, b: false })
    expect((await repository.flagstone(["build"])).status).toBe(0)
    const folder = makeFolder()
    cpSync(repository.folder, folder, { recursive: true })
    const flag = join(folder, "flags/a.yaml")
    writeFileSync(flag, readFileSync(flag, "utf8").replaceAll("\n", "\r\n"))
    await flagstone(folder, "fmt", "--check")

    await flagstone(folder, "build", "--out", "out")
    const files = readdirSync(join(folder, "out")).toSorted()
    expect(files).toEqual(["manifest.json", "production.json", "staging.json"])
    for (const file of files)
      expect(readFileSync(join(folder, "out", file), "utf8")).toBe(
        readFileSync(join(repository.folder, "dist", file), "utf8"),
      )

    const created = await flagstone(folder, "keys", "create", "staging", "--out", "secret.txt")
    expect(created.err).toContain("its secret is in secret.txt")
    expect(readFileSync(join(folder, "secret.txt"), "utf8")).toMatch(/^fsk_\w{49}\n$/)

    const { out } = await flagstone(folder, "publish", "published", "--snapshots", "out")
    expect(out).toContain("staging published")
    expect(readFileSync(join(folder, "published/staging/v1/flags.json"))).toEqual(
      readFileSync(join(folder, "out/staging.json")),
    )
  })
})
