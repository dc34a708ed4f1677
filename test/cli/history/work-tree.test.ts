// @module-tag system
import { mkdtempSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import type { SnapshotDocument } from "../../../sdk/contract/snapshot.ts"
import { createProjectRepository, time } from "../../repository.ts"
import { build, configured, plain, project, start, times } from "./built-times.ts"

describe("uncommitted changes have the newest commit's time, and are named", () => {
  test("changed, new, moved, deleted, ignored; staged or not", async () => {
    const repository = start(configured("{ enabled: false }"))
    for (const key of ["b", "c", "d", "e", "f"]) repository.write(`flags/${key}.yaml`, plain)
    repository.write(".gitignore", "ignored.yaml\n")
    repository.commit(20)
    repository.write("README.md", "x")
    repository.commit(30)
    repository.write("flags/a.yaml", configured("{ enabled: true }"))
    repository.write("flags/b.yaml", `# only a comment\n${plain}`)
    repository.git("add", "-A")
    repository.move("flags/c.yaml", "flags/moved/c.yaml")
    repository.remove("flags/d.yaml")
    repository.write("flags/new.yaml", plain)
    repository.write("flags/ignored.yaml", plain)
    const { status, err, read } = await build(repository.folder)
    expect(status).toBe(0)
    expect(err).toBe(
      "flags/project.yaml:1:1 warning not-committed\n" +
        "  Uncommitted changes in 7 files (the first 5 are listed). Until you commit them, they have the newest commit's time.\n" +
        ["a", "b", "c", "d", "ignored"]
          .map((name) => `  flags/${name}.yaml:1:1 This differs from the newest commit.\n`)
          .join("") +
        "\n",
    )
    expect(read("manifest.json")).toMatchObject({ dirty: true })
    const entries = new Map(
      (read("production.json") as SnapshotDocument).flags.map((entry) => [entry.flag.key, entry]),
    )
    const of = (key: string) => [entries.get(key)?.flag.createdAt, entries.get(key)?.flag.updatedAt]
    expect(of("a")).toEqual(times(10, 10))
    expect(entries.get("a")?.environment?.updatedAt).toBe(time(30))
    expect(of("b")).toEqual(times(20, 20))
    expect(of("c")).toEqual(times(20, 20))
    expect(of("new")).toEqual(times(30, 30))
    expect(of("ignored")).toEqual(times(30, 30))
    expect(entries.has("d")).toBe(false)
    const refused = await build(repository.folder, { requireClean: true })
    expect([refused.status, refused.err]).toEqual([1, expect.stringContaining("error not-committed")])
  })

  test("the project file", async () => {
    const repository = start()
    repository.write("flags/project.yaml", `${project}# x\n`)
    expect((await build(repository.folder)).err).toContain(
      "flags/project.yaml:1:1 This differs from the newest commit.",
    )
  })

  test("a merge that is not finished", async () => {
    const repository = start()
    repository.git("checkout", "-q", "-b", "branch")
    repository.write("flags/b.yaml", plain)
    repository.commit(20)
    repository.git("checkout", "-q", "main")
    repository.git("merge", "-q", "--no-ff", "--no-commit", "branch")
    expect((await build(repository.folder)).err).toContain(
      "flags/b.yaml:1:1 This differs from the newest commit.",
    )
  })
})

test("a check-out with CRLF is clean and gives the same bytes", async () => {
  const repository = start(`${plain}description: |\n  two\n  lines\nname: "folded\n  name"\n`)
  repository.write("flags/b.yaml", "\ufeffdefaultValue: false\n")
  repository.commit(20)
  const folder = join(mkdtempSync(join(tmpdir(), "flagstone-")), "clone")
  repository.git("clone", "-q", "-c", "core.autocrlf=true", repository.folder, folder)
  expect(readFileSync(join(folder, "flags/a.yaml"), "utf8")).toContain("\r\n")
  const [here, there] = await Promise.all([build(repository.folder), build(folder)])
  expect(there.err).toBe("")
  expect(there.read("manifest.json")).toEqual(here.read("manifest.json"))
})

test("a file that git stores through a filter is named, from lint on", async () => {
  const { git, write, commit, flagstone } = createProjectRepository()
  git("config", "filter.upper.clean", "tr a-z A-Z")
  write(".gitattributes", "*.txt filter=upper\nplain.txt -filter\nnotes.txt filter=unknown\n")
  const list = (file: string) =>
    `{ attribute: country, operator: in, value: { file: ${file} }, returnValue: true }`
  const rules = ["list.txt", "plain.txt", "notes.txt"].map(list).join(", ")
  write(
    "flags/a.yaml",
    `defaultValue: false\nenvironments: { production: { enabled: true, rules: [${rules}] } }\n`,
  )
  for (const [at, file] of ["list.txt", "plain.txt", "notes.txt"].entries())
    write(`flags/${file}`, `de${at}\n`)
  commit(1)
  const linted = await flagstone(["lint"])
  expect(linted.out).toMatch(
    /^flags\/list.txt:1:1 warning not-committed\n {2}.* the filter `upper`, which is not run here/,
  )
  expect(linted.out.match(/warning/g)).toHaveLength(1)
  expect((await flagstone(["build"])).err).toContain("the filter `upper`")
  write(".gitattributes", "")
  expect((await flagstone(["lint"])).out).toBe("")
  write("flags/sub/.gitattributes", "*.yaml filter=upper\n")
  write("flags/sub/b.yaml", "defaultValue: false\n")
  expect((await flagstone(["lint"])).out).toContain("write `*.yaml -filter` in a `.gitattributes`")
  write("flags/sub/.gitattributes", "*.yaml filter=a(b\n") // its name is no regular expression
  git("config", "filter.a(b.clean", "tr a-z A-Z")
  expect((await flagstone(["lint"])).out).toContain("the filter `a(b`")
  git("config", "--unset", "filter.a(b.clean")
  expect((await flagstone(["lint"])).out).toBe("")
})
