import { execFileSync, spawnSync } from "node:child_process"
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { describe, expect, test } from "vitest"
import { runBuild } from "../../cli/commands/build.ts"
import { createProgress } from "../../cli/progress.ts"
import { createRepository } from "../repository.ts"
import { testHost } from "../test-host.ts"

const cli = resolve(import.meta.dirname, "../../cli/flagstone.js")
const temporary = () => mkdtempSync(join(tmpdir(), "flagstone-reproducible-"))

/** A repository with everything that a machine could make differ: texts of several lines, letters, folders, times. */
function manyFlags() {
  const repository = createRepository()
  repository.write("flags/project.yaml", "project: shop\nenvironments: [production, b]\n")
  for (const key of ["a", "B", "ä-file", "z10", "z9", "i"]) {
    const text = `key: ${key.replace("ä", "ae")}\ndescription: |\n  ünder\n  two lines\ndefaultValue: false\n`
    repository.write(`flags/${key < "c" ? "deep/" : ""}${key}.yaml`, text)
    repository.commit(key.charCodeAt(0) * 1_000_000)
  }
  return repository
}

const readAll = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), "utf8")]))

test("the same commit gives the same bytes on another path, in another time zone, locale, umask and line end", () => {
  const repository = manyFlags()
  const build = (cwd: string, env: Record<string, string>, umask: string) => {
    const { status, stderr } = spawnSync(
      "sh",
      ["-c", `umask ${umask}; exec "$0" "$@"`, process.execPath, cli, "build"],
      {
        cwd,
        env: { ...process.env, ...env },
        encoding: "utf8",
      },
    )
    expect([status, stderr]).toEqual([0, ""])
    return readAll(join(cwd, "dist"))
  }
  const here = build(repository.folder, { TZ: "UTC", LC_ALL: "C" }, "022")
  const there = join(temporary(), "ein anderer Ort")
  execFileSync("git", ["clone", "-q", "-c", "core.autocrlf=true", repository.folder, there])
  expect(readFileSync(join(there, "flags/deep/a.yaml"), "utf8")).toContain("\r\n")
  expect(build(there, { TZ: "Asia/Kathmandu", LC_ALL: "tr_TR.UTF-8", LANG: "de_DE" }, "077")).toEqual(here)
})

describe("what is remembered changes nothing but the time it takes", () => {
  const build = async (cwd: string, options = {}) => {
    const host = testHost({ cwd })
    const out = temporary()
    const status = await runBuild({ flags: "flags", out, ...options }, host)
    return { status, err: host.err(), files: status === 0 ? readAll(out) : {} }
  }
  const memoryOf = (folder: string) => join(folder, ".git/flagstone")

  test("with and without memory, after every kind of change, the same", async () => {
    const repository = manyFlags()
    const both = async () => {
      const warm = await build(repository.folder)
      expect(await build(repository.folder)).toEqual(warm)
      expect(await build(repository.folder, { cache: false })).toEqual(warm)
      return warm
    }
    await both()
    repository.write("flags/z9.yaml", "defaultValue: true\n")
    expect((await both()).err).toContain("not-committed")
    repository.commit(300_000_000)
    expect((await both()).err).toBe("")
    repository.git("checkout", "-q", "HEAD~2")
    await both()
    repository.git("checkout", "-q", "main")
    repository.move("flags/z9.yaml", "flags/y9.yaml")
    repository.commit(300_000_001)
    await both()
    const json = (value: string) =>
      `type: json\ndefaultValue: ${value}\nenvironments:\n  production: { enabled: true, rules: [{ operator: always, returnValue: ${value} }] }\n`
    repository.write("flags/j.yaml", json("{ c: 1, d: [2] }"))
    repository.commit(300_000_001)
    await both()
    repository.write("flags/j.yaml", json("{ d: [2], c: 1 }"))
    repository.commit(300_000_002)
    await both()
    repository.write("flags/one.yaml", "key: x\nid: same\ndefaultValue: false\n")
    repository.write("flags/two.yaml", "key: y\nid: other\ndefaultValue: false\n")
    repository.commit(300_000_002)
    expect((await both()).status).toBe(0)
    repository.write("flags/three.yaml", "key: x\nid: other\ndefaultValue: false\n")
    const mistakes = await both()
    expect(mistakes.status).toBe(1)
    expect(mistakes.err).toMatch(/duplicate-key[\s\S]*duplicate-id/)
    repository.remove("flags/three.yaml")
    repository.write("flags/project.yaml", "project: other\nenvironments: [production]\n")
    repository.commit(300_000_003)
    expect((await both()).files["production.json"]).toContain("other/z10")
  })

  test("wherever the line was left, and whatever became of it since, the same", async () => {
    const repository = manyFlags()
    const { git, write, commit, folder } = repository
    const both = async (name: string) => {
      const warm = await build(folder)
      expect(warm, name).toEqual(await build(folder, { cache: false }))
      expect(warm.status).toBe(0)
    }
    const flag = (text: string) => write("flags/i.yaml", `key: i\ndefaultValue: false\nname: ${text}\n`)
    const edit = (text: string, at: number) => {
      flag(text)
      commit(at)
    }
    const steps: readonly (readonly [string, () => unknown])[] = [
      ["first", () => {}],
      [
        "several commits, there and back again",
        () => ["x", "y", "x"].map((text, at) => edit(text, 400 + at)),
      ],
      ["a commit elsewhere", () => [write("other.txt", "x"), commit(410)]],
      ["an old version that cannot be read", () => [write("flags/i.yaml", "{"), commit(420), edit("x", 421)]],
      ["amended", () => [git("reset", "-q", "--soft", "HEAD~1"), edit("w", 430)]],
      ["back", () => git("reset", "-q", "--hard", "HEAD~3")],
      ["another branch", () => [git("checkout", "-q", "-b", "side"), edit("side", 440)]],
      [
        "the line of before as the second parent",
        () => [
          git("checkout", "-q", "main"),
          edit("main", 450),
          git("merge", "-q", "--no-ff", "-s", "ours", "-m", "m", "side"),
        ],
      ],
      ["the same as the first", () => [git("checkout", "-q", "side"), git("merge", "-q", "-m", "m", "main")]],
      ["deleted", () => [repository.remove("flags/i.yaml"), commit(460)]],
      ["created again", () => edit("new", 470)],
      ["moved", () => [repository.move("flags/i.yaml", "flags/deep/j.yml"), commit(480)]],
      [
        "the project file away and back",
        () => [
          git("rm", "-q", "flags/project.yaml"),
          commit(490),
          git("checkout", "-q", "HEAD~1", "--", "flags/project.yaml"),
          commit(491),
        ],
      ],
      ["rebased", () => git("rebase", "-q", "--force-rebase", "HEAD~2")],
    ]
    for (const [name, step] of steps) {
      step()
      await both(name)
    }
  })

  test("a damaged or foreign memory is none", async () => {
    const repository = manyFlags()
    const right = await build(repository.folder)
    for (const damage of [
      (bytes: Buffer) => bytes.subarray(0, bytes.length / 2),
      (bytes: Buffer) => Buffer.concat([bytes, Buffer.from("x")]),
      (bytes: Buffer) => Buffer.from(bytes.toString("latin1").replace(/false/g, "true "), "latin1"),
      () => Buffer.from("something else\nentirely\n"),
      () => Buffer.alloc(0),
    ]) {
      for (const file of readdirSync(memoryOf(repository.folder))) {
        const path = join(memoryOf(repository.folder), file)
        writeFileSync(path, damage(readFileSync(path)))
      }
      expect(await build(repository.folder)).toEqual(right)
    }
    const files = readdirSync(memoryOf(repository.folder)).map((file) =>
      join(memoryOf(repository.folder), file),
    )
    for (const [at, file] of files.entries()) {
      copyFileSync(file, files[(at + 1) % files.length] ?? "")
      expect(await build(repository.folder)).toEqual(right)
    }
  })

  test("builds at once, a memory that cannot be written, --no-cache, and no end of growth", async () => {
    const repository = manyFlags()
    const builds = await Promise.all(Array.from({ length: 8 }, () => build(repository.folder)))
    for (const other of builds) expect(other).toEqual(builds[0])
    expect(
      readdirSync(memoryOf(repository.folder))
        .map((name) => name.replace(/.*\./, ""))
        .sort(),
    ).toEqual(["build", "line", "memory"])
    for (let version = 0; version < 20; version++) {
      repository.write("flags/project.yaml", `project: p${version}\nenvironments: [production]\n`)
      repository.commit(version)
      await build(repository.folder)
    }
    expect(readdirSync(memoryOf(repository.folder)).length).toBeLessThan(20)
    rmSync(memoryOf(repository.folder), { recursive: true })
    await build(repository.folder, { cache: false })
    expect(readdirSync(join(repository.folder, ".git"))).not.toContain("flagstone")
    writeFileSync(memoryOf(repository.folder), "a file in the folder's place")
    expect((await build(repository.folder)).status).toBe(0)
  })
})

describe("build --check", () => {
  const check = async (cwd: string) => {
    const host = testHost({ cwd })
    const status = await runBuild({ flags: "flags", out: "dist", check: true }, host)
    return { status, out: host.out(), err: host.err() }
  }

  test("says whether dist is what the flags give, and how not", async () => {
    const repository = manyFlags()
    const { folder } = repository
    expect(await check(folder)).toEqual({
      status: 1,
      out: "dist/production.json: missing\ndist/b.json: missing\ndist/manifest.json: missing\n",
      err: "dist is not what these flags give\n",
    })
    expect(readdirSync(folder)).not.toContain("dist")
    await runBuild({ flags: "flags", out: "dist" }, testHost({ cwd: folder }))
    expect(await check(folder)).toEqual({ status: 0, out: "", err: "dist is what these flags give\n" })
    writeFileSync(
      join(folder, "dist/b.json"),
      readFileSync(join(folder, "dist/b.json"), "utf8").replace("a", "b"),
    )
    repository.write("flags/project.yaml", "project: shop\nenvironments: [b]\n")
    expect(await check(folder)).toMatchObject({
      status: 1,
      out:
        "dist/b.json: not what these flags give\ndist/manifest.json: not what these flags give\n" +
        "dist/production.json: of an environment that is no more\n",
    })
  })

  test("flags with mistakes are mistakes", async () => {
    const repository = manyFlags()
    repository.write("flags/a2.yaml", "defaultValue: 1\n")
    expect(await check(repository.folder)).toMatchObject({ status: 1, out: "" })
  })
})

describe("progress", () => {
  const run = (terminal: boolean, env = {}) => {
    let now = 0
    const host = testHost({ isTerminal: { stdout: false, stderr: terminal }, env, monotonicNow: () => now })
    const progress = createProgress("flags compiled:", host)
    progress.show(10, 30)
    now = 1500
    progress.show(20, 30)
    progress.end()
    return host.err()
  }
  test("is one line on a terminal after a second, and gone at the end", () => {
    expect(run(true)).toBe("\rflags compiled: 20 of 30\u001b[K\r\u001b[K")
  })
  test("is nothing in files and in CI", () => {
    expect(run(false)).toBe("")
    expect(run(true, { CI: "true" })).toBe("")
  })
})
