// @module-tag system
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { describe, expect, test } from "vitest"
import { runBuild } from "../../../cli/commands/build.ts"
import { runInit } from "../../../cli/commands/init.ts"
import { runLint } from "../../../cli/commands/lint.ts"
import { runSchema } from "../../../cli/commands/schema.ts"
import { type DocsLink, publicDocs } from "../../../cli/docs-address.ts"
import { editorSchema, projectEditorSchema, segmentEditorSchema } from "../../../cli/editor/editor-schema.ts"
import { testHost } from "../../test-host.ts"

const root = resolve(import.meta.dirname, "../../..")

describe("the schema file", () => {
  test("is what flagstone schema prints, and follows project.yaml", async () => {
    const project = mkdtempSync(join(tmpdir(), "flagstone-schema-"))
    expect(await runInit({ flags: "flags" }, testHost({ cwd: project }))).toBe(0)
    const printed = async () => {
      const host = testHost({ cwd: project })
      expect(await runSchema({ flags: "flags" }, host)).toBe(0)
      return host.out()
    }
    const written = () => readFileSync(join(project, "flags", "flag.schema.json"), "utf8")
    expect(written()).toBe(await printed())
    writeFileSync(
      join(project, "flags", "project.yaml"),
      "project: shop\nenvironments: [development, staging, production, canary]\n",
    )
    expect(await runLint({ flags: "flags", maxWarnings: 0 }, testHost({ cwd: project }))).toBe(0)
    expect(written()).toContain("canary")
    expect(written()).toBe(await printed())
  })

  test.each([
    ["flag", {}],
    ["segment", { segments: true }],
    ["spec", { specs: true }],
    ["project", { project: true }],
  ])("of the example project is up to date: %s.schema.json", async (name, options) => {
    const host = testHost({ cwd: root })
    expect(await runSchema({ flags: "flags", ...options }, host)).toBe(0)
    expect(readFileSync(join(root, "flags", `${name}.schema.json`), "utf8")).toBe(host.out())
  })

  test("of segment files is written once one of them points to it, and follows the segments", async () => {
    const project = mkdtempSync(join(tmpdir(), "flagstone-schema-"))
    const flags = join(project, "flags")
    mkdirSync(join(flags, "people"), { recursive: true })
    writeFileSync(join(flags, "project.yaml"), "project: shop\nenvironments: [production]\n")
    const condition = "attribute: a\noperator: exists\n"
    writeFileSync(join(flags, "people", "staff.segment.yaml"), `description: Ours.\n${condition}`)
    const lint = () => runLint({ flags: "flags" }, testHost({ cwd: project }))
    expect(await lint()).toBe(0)
    expect(readdirSync(flags)).toEqual(["people", "project.yaml"])

    const line = "# yaml-language-server: $schema=../segment.schema.json\n"
    writeFileSync(join(flags, "people", "staff.segment.yaml"), `${line}description: Ours.\n${condition}`)
    expect(await lint()).toBe(0)
    const written = () =>
      JSON.parse(readFileSync(join(flags, "segment.schema.json"), "utf8")).properties.segment
    expect(written()).toMatchObject({ enum: ["staff"], enumDescriptions: ["Ours."] })

    writeFileSync(join(flags, "beta.segment.yaml"), "segment: staff\n")
    expect(await runBuild({ flags: "flags", out: "dist" }, testHost({ cwd: project }))).toBe(0)
    expect(written().enum).toEqual(["beta", "staff"])
  })

  test("no other file is written, whatever a flag file points to", async () => {
    const project = mkdtempSync(join(tmpdir(), "flagstone-schema-"))
    mkdirSync(join(project, "flags"))
    writeFileSync(join(project, "package.json"), "{}")
    writeFileSync(join(project, "flags", "project.yaml"), "project: shop\nenvironments: [development]\n")
    writeFileSync(
      join(project, "flags", "a.yaml"),
      "# yaml-language-server: $schema=../package.json\ndefaultValue: false\n",
    )
    expect(await runLint({ flags: "flags" }, testHost({ cwd: project }))).toBe(0)
    expect(readFileSync(join(project, "package.json"), "utf8")).toBe("{}")
  })

  test("is not a flag, and changing it makes no build dirty", async () => {
    const project = mkdtempSync(join(tmpdir(), "flagstone-schema-"))
    await runInit({ flags: "flags" }, testHost({ cwd: project }))
    const git = (...args: readonly string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...args], { cwd: project })
    git("init", "-q")
    git("add", "-f", ".")
    git("commit", "-q", "-m", "flags")
    writeFileSync(join(project, "flags", "flag.schema.json"), "{}")
    const host = testHost({ cwd: project })
    expect(await runBuild({ flags: "flags", out: "dist", requireClean: true }, host)).toBe(0)
    expect(host.err()).toBe("")
    git("diff", "--exit-code") // the build has brought it up to date
  })

  test("that cannot be written does not cause a failure", async () => {
    const project = mkdtempSync(join(tmpdir(), "flagstone-schema-"))
    await runInit({ flags: "flags" }, testHost({ cwd: project }))
    const path = join(project, "flags", "flag.schema.json")
    rmSync(path)
    mkdirSync(join(path, "in-the-way"), { recursive: true })
    expect(await runLint({ flags: "flags" }, testHost({ cwd: project }))).toBe(0)
    expect(readdirSync(join(project, "flags"))).toEqual([
      "flag.schema.json",
      "new-welcome.yaml",
      "project.schema.json",
      "project.yaml",
    ])
  })
})

describe("the schemas", () => {
  const git = (cwd: string, ...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...args], { cwd })
  const lint = async (cwd: string) => expect(await runLint({ flags: "flags" }, testHost({ cwd }))).toBe(0)
  const read = (cwd: string) => readFileSync(join(cwd, "flags", "flag.schema.json"), "utf8")

  test.each([
    ["lint", lint],
    ["build", (cwd: string) => runBuild({ flags: "flags", out: "dist" }, testHost({ cwd }))],
  ])("are written in a new clone by the first %s", async (_, run) => {
    const project = mkdtempSync(join(tmpdir(), "flagstone-schema-"))
    git(project, "init", "-q")
    expect(await runInit({ flags: "flags" }, testHost({ cwd: project }))).toBe(0)
    const segment =
      "# yaml-language-server: $schema=./segment.schema.json\nattribute: userId\noperator: exists\n"
    writeFileSync(join(project, "flags", "staff.segment.yaml"), segment)
    await lint(project)
    git(project, "add", ".")
    git(project, "commit", "-q", "-m", "flags")
    const clone = mkdtempSync(join(tmpdir(), "flagstone-schema-"))
    git(clone, "clone", "-q", project, ".")
    expect(readdirSync(join(clone, "flags"))).toEqual([
      "new-welcome.yaml",
      "project.yaml",
      "staff.segment.yaml",
    ])
    await run(clone)
    expect(readdirSync(join(clone, "flags"))).toContain("segment.schema.json")
    expect(read(clone)).toBe(read(project))
    expect(readdirSync(join(clone, "flags"))).toEqual(readdirSync(join(project, "flags")))
  })

  test("link only to headings of the page", () => {
    const lines = readFileSync(join(root, "docs/flag-files.md"), "utf8").split("\n")
    const anchors = new Map(
      lines
        .filter((line) => /^#{2,} /.test(line))
        .map((line) => [line.replace(/^#+ /, "").toLowerCase().replaceAll(" ", "-"), line]),
    )
    const project = { name: "shop", environments: [{ name: "constructor", id: "x" }], operators: [] }
    const linksBy = (docs: DocsLink | undefined) =>
      [editorSchema, segmentEditorSchema, (_: object, links?: DocsLink) => projectEditorSchema(links)].map(
        (make) =>
          [...JSON.stringify(make(project, docs)).matchAll(/\[Flag files\]\(([^)]*)\)/g)].map(
            ([, to = ""]) => to,
          ),
      )
    const docs = publicDocs("docs/flag-files.md", "git+https://git.example/flagstone.git")
    for (const links of linksBy(docs)) {
      expect(links.length).toBeGreaterThan(5)
      const headings = links.map((link) => {
        const [address, anchor = ""] = link.split("#")
        expect(address).toBe("https://git.example/flagstone/blob/HEAD/docs/flag-files.md")
        return anchors.get(anchor)
      })
      expect(headings).not.toContain(undefined)
    }
  })
})
