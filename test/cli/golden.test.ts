// @module-tag system
import { execFileSync } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"
import { describe, expect, test } from "vitest"
import { runBuild } from "../../cli/commands/build.ts"
import { runDiff } from "../../cli/commands/diff.ts"
import { runLint } from "../../cli/commands/lint.ts"
import { runTest } from "../../cli/commands/test.ts"
import { isSpecPath } from "../../cli/compile/read/file-names.ts"
import { codes } from "../../cli/diagnostics/codes.ts"
import { gitEnv, openRepository } from "../repository.ts"
import { outsideGit, testHost } from "../test-host.ts"

// A top-level folder named after a code has that code's cases. There are four kinds of case:
// - with `flags/`: `diagnostics.txt` is lint's output, `fixed/` has the files that `lint --fix` changes and,
//   if there are no errors, `dist/` is what build writes outside git.
// - with `setup.sh` as well, which makes what no folder can contain, such as a large file or a repository: `build.txt` is
//   what `build --require-clean` prints.
// - with a spec in `flags/` as well: `test.txt` is what `test` prints.
// - with `before/flags/` and `after/flags/`: `warnings.txt` has diff's warnings. A `diff.txt`, `diff.md` or
//   `diff.json` has diff's whole output.
// `npx vitest run golden -u` writes the expected files; read the diff.
const golden = join(import.meta.dirname, "..", "golden")

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
  cpSync(join(golden, name, "flags"), join(cwd, "flags"), { recursive: true })
  const setup = join(golden, name, "setup.sh")
  if (existsSync(setup))
    execFileSync("bash", ["-e", setup], { cwd, env: { ...gitEnv, GIT_AUTHOR_NAME: "Ann" } })
  return cwd
}

describe.each(alone)("%s", (name) => {
  test("lint reports what is wrong", async () => {
    const host = hostOf(name)
    const status = await runLint({ flags: "flags", format: "text" }, host)
    await expect(`${host.out()}${host.err()}exit ${status}\n`).toMatchFileSnapshot(
      join(golden, name, "diagnostics.txt"),
    )
  })
})

describe.each(alone.filter((name) => !prepared.includes(name)))("%s", (name) => {
  test("lint --fix makes the certain fixes, and nothing when it runs again", async () => {
    const host = hostOf(name)
    const folder = host.cwd
    const files = readdirSync(join(folder, "flags"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith(".json"))
      .map((entry) => relative(join(folder, "flags"), join(entry.parentPath, entry.name)))
    const readAll = () => new Map(files.map((file) => [file, readFileSync(join(folder, "flags", file))]))
    const fix = () => runLint({ flags: "flags", fix: true }, host)
    const before = readAll()
    await fix()
    const after = readAll()
    const changed = files.filter((file) => !after.get(file)?.equals(before.get(file) ?? Buffer.of()))
    const expected = join(golden, name, "fixed")
    const kept = existsSync(expected) ? readdirSync(expected, { recursive: true, encoding: "utf8" }) : []
    for (const file of kept.filter((file) => files.includes(file))) expect(changed).toContain(file)
    for (const file of changed)
      await expect(after.get(file)?.toString()).toMatchFileSnapshot(join(expected, file))
    await fix()
    expect(readAll()).toEqual(after)
  })

  test("build writes the snapshots, or nothing", async () => {
    const host = hostOf(name)
    const status = await runBuild({ flags: "flags", out: "dist", cache: true }, host)
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
  const status = await runBuild({ flags: "flags", out: "dist", cache: true, requireClean: true }, host)
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
async function diffIn(name: string, format: "text" | "markdown" | "json") {
  const host = testHost({ cwd: mkdtempSync(join(tmpdir(), "flagstone-golden-")) })
  const repository = openRepository(host.cwd)
  repository.git("init", "-q")
  cpSync(join(golden, name, "before"), host.cwd, { recursive: true })
  repository.commit(0)
  repository.remove("flags")
  cpSync(join(golden, name, "after"), host.cwd, { recursive: true })
  const status = await runDiff(undefined, undefined, { flags: "flags", format }, host)
  return { out: host.out(), rest: `${host.err()}exit ${status}\n` }
}

test.each(comparisons)("%s: diff warns of it", async (name) => {
  const { out, rest } = await diffIn(name, "text")
  const warnings = /^[^\s:]+:\d+:\d+ warning [\s\S]*/m.exec(out)?.[0] ?? "no warnings\n"
  await expect(`${warnings}${rest}`).toMatchFileSnapshot(join(golden, name, "warnings.txt"))
})

const printed = comparisons.flatMap((name) =>
  Object.entries({ "diff.txt": "text", "diff.md": "markdown", "diff.json": "json" } as const)
    .map(([file, format]) => [name, format, join(golden, name, file)] as const)
    .filter(([, , file]) => existsSync(file)),
)
test.each(printed)("%s: diff prints it as %s", async (name, format, file) => {
  const { out } = await diffIn(name, format)
  await expect(out.replaceAll(/\b[0-9a-f]{10,64}\b/g, "<commit>")).toMatchFileSnapshot(file)
})

/** They are about code, which `usages` reads: docs/diagnostics.md has their cases. */
const aboutCode = ["undefined-flag", "unused-flag"]
const aboutFlags = Object.keys(codes).filter((code) => !aboutCode.includes(code))

test.each(aboutFlags)("%s has a folder", (code) => {
  const isOwn = (name: string) => name === code || name.startsWith(`${code}/`)
  const expected = [
    ...alone
      .filter(isOwn)
      .map((name) =>
        join(
          name,
          prepared.includes(name) ? "build.txt" : specified.includes(name) ? "test.txt" : "diagnostics.txt",
        ),
      ),
    ...comparisons.filter(isOwn).map((name) => join(name, "warnings.txt")),
  ]
  expect(expected).not.toEqual([])
  for (const file of expected) {
    expect(readFileSync(join(golden, file), "utf8"), file).toMatch(
      new RegExp(` (error|warning) ${code}$`, "m"),
    )
  }
})
