import { hash } from "node:crypto"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach } from "vitest"
import { run } from "../../../cli/program.ts"
import type { Manifest } from "../../../proxy/contract/manifest.ts"
import { flagEntry, inEnvironment } from "../../flag-entry.ts"
import type { Outcome } from "../../repository.ts"
import { outsideGit, type TestHostOptions, testHost } from "../../test-host.ts"

/** The commit of a build, by a digit. */
export const revision = (digit: number) => String(digit).repeat(40)

/** For the tests of the calling file: a new folder for each test, and `flagstone` in it, without a process or server. */
export function folderPublisher() {
  let cwd = ""
  beforeEach(() => {
    cwd = mkdtempSync(join(tmpdir(), "flagstone-publish-"))
  })
  afterEach(() => rmSync(cwd, { recursive: true }))
  const path = (name: string) => join(cwd, name)

  function write(name: string, text: string | Uint8Array): void {
    mkdirSync(dirname(path(name)), { recursive: true })
    writeFileSync(path(name), text)
  }

  /** Writes to `dist` what `build` would: by environment, flags with a text that differs between versions. */
  function build(
    environments: Readonly<Record<string, Readonly<Record<string, string>>>>,
    manifest: { readonly [Name in keyof Manifest]?: Manifest[Name] | undefined } = {},
  ): void {
    const index: Record<string, unknown> = {}
    for (const [name, flags] of Object.entries(environments)) {
      const entries = Object.keys(flags)
        .sort()
        .map((key) => inEnvironment(flagEntry(key, 0, false, flags[key]), name))
      const document = `${JSON.stringify({ flags: entries })}\n`
      const size = Buffer.byteLength(document)
      write(`dist/${name}.json`, document)
      index[name] = {
        ...{ id: name, file: `${name}.json`, sha256: hash("sha256", document) },
        ...{ size, flags: entries.length },
      }
    }
    const text = {
      ...{
        formatVersion: 1,
        project: "shop",
        revision: revision(1),
        committedAt: "2026-11-21T09:00:00.000Z",
      },
      ...manifest,
      environments: index,
    }
    write("dist/manifest.json", JSON.stringify(text))
  }

  async function flagstone(args: readonly string[], options: TestHostOptions = {}): Promise<Outcome> {
    const host = testHost({ cwd, git: outsideGit, ...options })
    const status = await run(args, host, "1.2.3")
    return { status, out: host.out(), err: host.err() }
  }

  return {
    build,
    flagstone,
    write,
    path,
    read: (name: string) => readFileSync(path(name), "utf8"),
    remove: (name: string) => rmSync(path(name)),
    /** The files of the target, and their sizes. */
    files: () =>
      readdirSync(path("site"), { recursive: true, encoding: "utf8" })
        .filter((name) => statSync(path(`site/${name}`)).isFile())
        .sort(),
    /** Publishes to the folder `site`. */
    publish: (line = "", options: TestHostOptions = {}) =>
      flagstone(["publish", "site", ...line.split(" ").filter((word) => word !== "")], options),
  }
}
