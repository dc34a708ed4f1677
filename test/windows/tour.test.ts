// @module-tag system
// @module-tag slow
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createProjectRepository, type Outcome } from "../repository.ts"
import { hasWine, startWindows, type Windows } from "./wine.ts"

describe.runIf(hasWine)("on Windows", { timeout: 600_000 }, () => {
  let windows: Windows
  beforeAll(async () => {
    windows = await startWindows()
  }, 600_000)
  afterAll(() => windows?.stop())

  test("a project goes from init to serve, and each command prints and writes what it does here", async () => {
    const repository = createProjectRepository()
    repository.remove("flags")
    /** Runs a command there, in a copy of the folder, and here. Returns the folder that it has there. */
    const compare = async (args: readonly string[], prepare = (_folder: string) => {}): Promise<string> => {
      const folder = copyOf(repository.folder)
      prepare(folder)
      const there = await windows.run(folder, args)
      const here = await repository.flagstone(args)
      expect({ args, ...withoutAge(there) }).toEqual({ args, ...withoutAge(here) })
      return folder
    }
    await compare(["init", "--project", "shop", "--ci", "github"])
    repository.commit(1)
    await compare(["lint"])
    await compare(["fmt", "--check"], (folder) => {
      const file = join(folder, "flags/new-welcome.yaml")
      writeFileSync(file, readFileSync(file, "utf8").replaceAll("\n", "\r\n"))
    })
    await compare(["set", "new-welcome", "--in", "production", "--share", "25"])
    await compare(["diff"])
    repository.commit(2)
    await compare(["catalog", "--out", "site/index.html"])
    const built = await compare(["build"])
    const snapshots = readdirSync(join(repository.folder, "dist"))
    expect(readdirSync(join(built, "dist"))).toEqual(snapshots)
    for (const file of snapshots)
      expect(readFileSync(join(built, "dist", file))).toEqual(
        readFileSync(join(repository.folder, "dist", file)),
      )
    const folder = await compare(["keys", "create", "production", "--id", "web", "--out", "secret.txt"])
    const published = await compare(["publish", "published"])
    const production = readFileSync(join(repository.folder, "dist/production.json"), "utf8")
    expect(readFileSync(join(published, "published/production/v1/flags.json"), "utf8")).toBe(production)

    const secret = readFileSync(join(folder, "secret.txt"), "utf8").trim()
    const servePrinted = windows.start(folder, [
      "serve",
      "--snapshots",
      "dist",
      "--keys",
      "keys.yaml",
      "--port",
      "0",
    ])
    expect(await (await ask(await servePrinted(/"(http:[^"]*)"/), secret)).text()).toBe(production)

    const devPrinted = windows.start(folder, ["dev", "--port", "0"])
    const key = await devPrinted(/production:\n.* (fsk_\w+)/)
    const file = join(folder, "flags/new-welcome.yaml")
    writeFileSync(file, readFileSync(file, "utf8").replace("to: 25", "to: 30"))
    await devPrinted(/rule 2 edited: (25 % → 30 %)/)
    const answer = await ask(await devPrinted(/Open (\S+)/), key)
    expect(await answer.text()).toContain('"value":"30"')
  })
})

/** A copy in a folder whose name has both a blank and a letter outside ASCII, as many users' folders have. */
function copyOf(folder: string): string {
  const copy = join(mkdtempSync(join(tmpdir(), "flagstone-")), "Ann Müller")
  mkdirSync(copy)
  cpSync(folder, copy, { recursive: true })
  return copy
}

/** The clocks differ. */
const withoutAge = ({ status, out, err }: Outcome) => ({
  status,
  out,
  err: err.replace(/committed .* ago/, "committed long ago"),
})

const ask = (url: string, key: string) =>
  fetch(`${url}/v1/flags`, { headers: { Authorization: `Bearer ${key}` } })
