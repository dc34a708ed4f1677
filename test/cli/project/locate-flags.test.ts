// @module-tag system
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { describe, expect, test } from "vitest"
import { run } from "../../../cli/program.ts"
import { locateFlags } from "../../../cli/project/locate-flags.ts"
import { testHost } from "../../test-host.ts"

const projectText = "project: shop\nenvironments: [staging, production]\n"

/** A folder with files, which has a repository at its top. */
function tree(files: Readonly<Record<string, string>>): string {
  const top = mkdtempSync(join(tmpdir(), "flagstone-locate-"))
  mkdirSync(join(top, ".git"))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(top, path)), { recursive: true })
    writeFileSync(join(top, path), text)
  }
  return top
}

describe("the flags folder is", () => {
  const top = tree({
    "flags/project.yaml": projectText,
    "flags/team/a.yaml": "defaultValue: false\n",
    "src/flags/index.ts": "",
    "docs/project.yaml": "title: Not ours\n",
    "other/features/project.yaml": projectText,
    "other/features/deep/er/b.yaml": "defaultValue: false\n",
    "misplaced/flags/project.yaml": projectText,
    "misplaced/flags/sub/project.yaml": projectText,
  })
  test.each([
    ["beside the current folder", ".", "flags"],
    ["above", "src", "flags"],
    ["above, past a folder of that name without a project", "src/flags", "flags"],
    ["the current folder", "flags", "flags"],
    ["above the current folder", "flags/team", "flags"],
    ["above, past another tool's project.yaml", "docs", "flags"],
    ["one with a different name, from within", "other/features/deep/er", "other/features"],
    ["the outermost, since projects do not nest", "misplaced/flags/sub", "misplaced/flags"],
  ])("%s", (_, from, folder) => expect(locateFlags(join(top, from))).toBe(join(top, folder)))

  test("not looked for above the repository", () => {
    const inner = join(top, "vendor/inner")
    mkdirSync(join(inner, ".git"), { recursive: true })
    expect(locateFlags(inner)).toBeUndefined()
  })
})

describe("from a folder below", () => {
  const files = { "flags/project.yaml": projectText, "flags/a.yaml": "defaultValue: false\n", "src/x": "" }

  async function flagstone(cwd: string, command: string, env: Record<string, string> = {}) {
    const host = testHost({ cwd, env: { SOURCE_DATE_EPOCH: "1800000000", ...env } })
    return { status: await run(command.split(" "), host, "1.2.3"), out: host.out(), err: host.err() }
  }

  test.each(["src", "flags"])("lint, fmt, schema and build find the project: %s", async (from) => {
    const top = tree(files)
    const cwd = join(top, from)
    expect(await flagstone(cwd, "lint")).toMatchObject({ status: 0, err: "1 flag checked: no mistakes\n" })
    expect((await flagstone(cwd, "fmt --check")).status).toBe(0)
    expect((await flagstone(cwd, "schema")).status).toBe(0)
    const built = await flagstone(cwd, "build")
    expect(built).toMatchObject({ status: 0, out: expect.stringContaining("../dist/production.json") })
    expect(readdirSync(join(top, "dist"))).toContain("manifest.json") // beside the flags, as if run from there
    expect((await flagstone(cwd, "build --check")).status).toBe(0)
  })

  test.each(["src", "flags"])("keys, serve and publish find what is beside the flags: %s", async (from) => {
    const top = tree(files)
    const cwd = join(top, from)
    expect((await flagstone(top, "build")).status).toBe(0)
    const host = testHost({ cwd, showsSecrets: true })
    expect(await run(["keys", "create", "staging", "--id", "web"], host, "1.2.3")).toBe(0)
    expect(readdirSync(top)).toContain("keys.yaml")
    expect(readdirSync(cwd)).not.toContain("keys.yaml")
    expect(await flagstone(cwd, "keys list")).toMatchObject({
      status: 0,
      out: expect.stringContaining("web"),
    })
    expect((await flagstone(cwd, "keys create stagin")).err).toContain("did you mean `staging`")
    expect(await flagstone(cwd, "serve --check")).toMatchObject({ status: 0 })
    expect(await flagstone(cwd, "publish ../live --allow-dirty")).toMatchObject({ status: 0 })
    expect(readdirSync(join(top, "live"))).toContain("manifest.json") // given paths are relative to the current folder
    expect((await flagstone(cwd, "keys revoke web")).status).toBe(0)
  })

  test("files in the current folder come first", async () => {
    const top = tree({ ...files, "deploy/keys.yaml": "keys: []\n", "keys.yaml": "keys: [" })
    expect(await flagstone(join(top, "deploy"), "keys list")).toMatchObject({ status: 0 })
    expect((await flagstone(join(top, "deploy"), "serve --check")).err).not.toContain("..")
    expect((await flagstone(join(top, "src"), "keys list")).status).toBe(2)
  })

  test("given paths are relative to the current folder", async () => {
    const cwd = join(tree(files), "src")
    expect(await flagstone(cwd, "build --out here")).toMatchObject({
      out: expect.stringContaining("here/production.json"),
    })
    expect(readdirSync(join(cwd, "here"))).toContain("manifest.json")
    expect((await flagstone(cwd, "lint --flags flags")).err).toContain("no folder")
    expect((await flagstone(cwd, "lint", { FLAGSTONE_FLAGS: "flags" })).err).toContain("no folder")
  })

  test("init starts a project in the current folder, or says that it is within one", async () => {
    const top = tree(files)
    expect(await flagstone(join(top, "src"), "init")).toMatchObject({
      status: 2,
      err: "flagstone: ../flags/project.yaml already exists, and this folder belongs to its project (for a separate project here, add --flags ./flags): nothing was changed\n",
    })
    expect((await flagstone(join(top, "src"), "init --flags ./flags")).out).toContain(
      "flags/project.yaml: the project is called src, as its folder is\n",
    )
    expect(readdirSync(join(top, "src/flags"))).toContain("project.yaml")
  })
})
