// @module-tag system
import { execFileSync } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join, relative } from "node:path"
import { describe, expect, test } from "vitest"
import { runBuild } from "../../cli/commands/build.ts"
import { runDiff } from "../../cli/commands/diff.ts"
import { runLint } from "../../cli/commands/lint.ts"
import { runTest } from "../../cli/commands/test.ts"
import { codes } from "../../cli/diagnostics/codes.ts"
import type { Host } from "../../cli/host.ts"
import { isSpecPath } from "../../cli/reading/files/file-names.ts"
import { copyFlags, fenced, filesOn, golden, sectionOf } from "../golden-page.ts"
import { gitEnv, openRepository } from "../repository.ts"
import { outsideGit, testHost } from "../test-host.ts"

// A top-level folder or page named after a code has that code's cases. There are five kinds of case:
// - on a page: small files that do not compile, each with lint's output about it and what `lint --fix` makes of it. The
//   files whose path starts with the same folder are a project, whose heading has the rest of the output.
// - with `flags/`: `diagnostics.txt` is lint's output, `fixed/` has the files that `lint --fix` changes and,
//   if there are no errors, `dist/` is what build writes outside git.
// - with `setup.sh` as well, which makes what no folder can contain, such as a large file or a repository: `build.txt` is
//   what `build --require-clean` prints.
// - with a spec in `flags/` as well: `test.txt` is what `test` prints.
// - with `before/flags/` and `after/flags/`: `warnings.txt` has diff's warnings. A `diff.txt` has diff's whole output.
// `npx vitest run golden -u` writes the expected files; read the diff.

/** The pages of test/cli/commands/promote.test.ts and set.test.ts. */
const pagesOfCommands = ["promote.md", "set.md"]
const pages = readdirSync(golden)
  .filter((file) => file.endsWith(".md") && !pagesOfCommands.includes(file))
  .map((file) => basename(file, ".md"))
const folders = readdirSync(golden, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith("/flags"))
  .map(dirname)
  .sort()
const comparisons = folders.filter((path) => path.endsWith("/before")).map(dirname)
const alone = folders.filter((path) => !/\/(before|after)$/.test(path))
const prepared = alone.filter((name) => existsSync(join(golden, name, "setup.sh")))
const specified = alone.filter((name) =>
  readdirSync(join(golden, name, "flags"), { recursive: true, encoding: "utf8" }).some(isSpecPath),
)

/** A host in a new folder with a case's flags, without a repository unless `setup.sh` makes one. */
function hostOf(name: string) {
  const git = prepared.includes(name) ? {} : { git: outsideGit }
  return testHost({ cwd: copy(name), env: { SOURCE_DATE_EPOCH: "1800000000" }, ...git })
}

/** A new folder with the flags of a case. */
function copy(name: string): string {
  const cwd = mkdtempSync(join(tmpdir(), "flagstone-golden-"))
  copyFlags(name, cwd)
  const setup = join(golden, name, "setup.sh")
  if (existsSync(setup))
    execFileSync("bash", ["-e", setup], { cwd, env: { ...gitEnv, GIT_AUTHOR_NAME: "Ann" } })
  return cwd
}

/** What lint prints about the flags of a case. */
async function lintOf(name: string): Promise<string> {
  const host = hostOf(name)
  const status = await runLint({ flags: "flags", format: "text" }, host)
  return `${host.out()}${host.err()}exit ${status}\n`
}

/** The files of a host's flags, by path. */
function filesIn(host: Host): ReadonlyMap<string, Buffer> {
  const folder = join(host.cwd, "flags")
  return new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith(".json"))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(folder, path), readFileSync(path)]),
  )
}

/** The files after `lint --fix`, which a second run must not change. */
async function fixTwice(host: Host): Promise<ReadonlyMap<string, Buffer>> {
  await runLint({ flags: "flags", fix: true }, host)
  const after = filesIn(host)
  await runLint({ flags: "flags", fix: true }, host)
  expect(filesIn(host)).toEqual(after)
  return after
}

describe.each(pages)("%s.md", (page) => {
  const path = join(golden, `${page}.md`)
  const files = filesOn(path)
  const nameOf = (file: string) => `${page}/${file}`.slice(0, `${page}/${file}`.indexOf("/flags/"))
  const projects = Map.groupBy(files, ([file]) => nameOf(file))

  test("lint reports what is wrong, and --fix makes the certain fixes", async () => {
    const parts: string[] = []
    for (const [name, project] of projects) {
      const fixed = await fixTwice(hostOf(name))
      let rest = (await lintOf(name)).split(/(?<=\n)\n/)
      const sections = project.map(([file, text]) => {
        const path = file.slice(file.indexOf("flags/"))
        const isAbout = (part: string) => part.startsWith(`${path}:`)
        const printed = rest.filter(isAbout).join("\n")
        rest = rest.filter((part) => !isAbout(part))
        return sectionOf(file, text, printed, `${fixed.get(path.slice("flags/".length))}`)
      })
      parts.push(`# ${name}\n`, fenced("text", rest.join("\n")), ...sections)
    }
    await expect(parts.join("\n")).toMatchFileSnapshot(path)
  })

  test.each([...projects.keys()])("build writes nothing of %s", async (name) => {
    const host = hostOf(name)
    expect(await runBuild({ flags: "flags", out: "dist" }, host)).toBeGreaterThan(0)
    expect(readdirSync(host.cwd)).not.toContain("dist")
  })
})

describe.each(alone)("%s", (name) => {
  test("lint reports what is wrong", async () => {
    await expect(await lintOf(name)).toMatchFileSnapshot(join(golden, name, "diagnostics.txt"))
  })
})

describe.each(alone.filter((name) => !prepared.includes(name)))("%s", (name) => {
  test("lint --fix makes the certain fixes, and nothing when it runs again", async () => {
    const host = hostOf(name)
    const before = filesIn(host)
    const after = await fixTwice(host)
    const files = [...before.keys()]
    const changed = files.filter((file) => !after.get(file)?.equals(before.get(file) ?? Buffer.of()))
    const expected = join(golden, name, "fixed")
    const kept = existsSync(expected) ? readdirSync(expected, { recursive: true, encoding: "utf8" }) : []
    for (const file of kept.filter((file) => files.includes(file))) expect(changed).toContain(file)
    for (const file of changed)
      await expect(after.get(file)?.toString()).toMatchFileSnapshot(join(expected, file))
  })

  test("build writes the snapshots, or nothing", async () => {
    const host = hostOf(name)
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

test.each(prepared)("%s: build refuses it and writes nothing", async (name) => {
  const host = testHost({ cwd: copy(name) })
  const status = await runBuild({ flags: "flags", out: "dist", requireClean: true }, host)
  expect(readdirSync(host.cwd)).not.toContain("dist")
  await expect(`${host.out()}${host.err()}exit ${status}\n`).toMatchFileSnapshot(
    join(golden, name, "build.txt"),
  )
})

test.each(specified)("%s: test reports what is wrong", async (name) => {
  const host = testHost({ cwd: copy(name), git: outsideGit })
  const status = await runTest({ flags: "flags", format: "text" }, host)
  await expect(`${host.out()}${host.err()}exit ${status}\n`).toMatchFileSnapshot(
    join(golden, name, "test.txt"),
  )
})

/** Diff's output for a case. */
async function diffIn(name: string) {
  const host = testHost({ cwd: mkdtempSync(join(tmpdir(), "flagstone-golden-")) })
  const repository = openRepository(host.cwd)
  repository.git("init", "-q")
  cpSync(join(golden, name, "before"), host.cwd, { recursive: true })
  repository.commit(0)
  repository.remove("flags")
  cpSync(join(golden, name, "after"), host.cwd, { recursive: true })
  const status = await runDiff(undefined, undefined, { flags: "flags", format: "text" }, host)
  return { out: host.out(), rest: `${host.err()}exit ${status}\n` }
}

test.each(comparisons)("%s: diff warns of it", async (name) => {
  const { out, rest } = await diffIn(name)
  const warnings = /^[^\s:]+:\d+:\d+ (?:warning|error) [\s\S]*/m.exec(out)?.[0] ?? "no warnings\n"
  await expect(`${warnings}${rest}`).toMatchFileSnapshot(join(golden, name, "warnings.txt"))
})

const printed = comparisons.filter((name) => existsSync(join(golden, name, "diff.txt")))
test.each(printed)("%s: diff prints it", async (name) => {
  const { out } = await diffIn(name)
  const expected = join(golden, name, "diff.txt")
  await expect(out.replaceAll(/\b[0-9a-f]{10,64}\b/g, "<commit>")).toMatchFileSnapshot(expected)
})

/** They are about code, which `usages` reads: docs/diagnostics.md has their cases. */
const aboutCode = ["undefined-flag", "unused-flag"]
const aboutFlags = Object.keys(codes).filter((code) => !aboutCode.includes(code))

/** In front of a project on a page, but the first. */
const projectHeading = /\n(?=# \S+\n\n```text\n)/

test.each(aboutFlags)("%s has a folder or a page", (code) => {
  const isOwn = (name: string) => name === code || name.startsWith(`${code}/`)
  const expected = [
    ...alone.filter(isOwn).map((name) =>
      prepared.includes(name)
        ? [join(name, "build.txt"), join(name, "diagnostics.txt")] // one of them
        : [join(name, specified.includes(name) ? "test.txt" : "diagnostics.txt")],
    ),
    ...comparisons.filter(isOwn).map((name) => [join(name, "warnings.txt")]),
  ]
  const onPage = pages
    .filter(isOwn)
    .flatMap((page) => readFileSync(join(golden, `${page}.md`), "utf8").split(projectHeading))
  const read = (file: string) => readFileSync(join(golden, file), "utf8")
  const texts = [...expected.map((files) => files.map(read).join("")), ...onPage]
  expect(texts).not.toEqual([])
  for (const text of texts) expect(text).toMatch(new RegExp(` (error|warning) ${code}$`, "m"))
})
