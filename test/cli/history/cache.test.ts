// @module-tag system
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { runBuild } from "../../../cli/commands/build.ts"
import { createGit, type Git } from "../../../cli/git.ts"
import { testHost } from "../../test-host.ts"
import { manyFlags } from "../project/many-flags.ts"

const temporary = () => mkdtempSync(join(tmpdir(), "flagstone-cache-"))
const readAll = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), "utf8")]))

describe("the cache changes only how long a build takes", () => {
  const build = async (cwd: string, options = {}) => {
    const host = testHost({ cwd })
    const out = temporary()
    const status = await runBuild({ flags: "flags", out, cache: true, ...options }, host)
    return { status, err: host.err(), files: status === 0 ? readAll(out) : {} }
  }
  const cacheOf = (folder: string) => join(folder, ".git/flagstone")

  test("a clone that was complete and is shallow now is refused, as without it", async () => {
    const repository = manyFlags()
    const clone = join(temporary(), "clone")
    repository.git("clone", "-q", `file://${repository.folder}`, clone)
    expect((await build(clone)).status).toBe(0)
    repository.git("-C", clone, "fetch", "-q", "--depth=1")
    expect(await build(clone)).toMatchObject({ status: 1, err: expect.stringContaining("shallow-clone") })
  })

  test("with and without it, after every kind of change, the same", async () => {
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

  test("with segments that change under the flags that use them, the same", async () => {
    const repository = manyFlags()
    const both = async (status: number) => {
      const warm = await build(repository.folder)
      expect(await build(repository.folder, { cache: false })).toEqual(warm)
      expect(warm.status).toBe(status)
      return warm
    }
    const using = (condition: string) =>
      `defaultValue: false\nenvironments:\n  production:\n    enabled: true\n    rules:\n      - { ${condition}, returnValue: true }\n`
    for (const name of ["s1", "s2", "s3", "s4", "s5", "s6"])
      repository.write(`flags/${name}.yaml`, using("segment: staff"))
    repository.write("flags/deep.yaml", using("all: [{ any: [{ segment: testers }] }]"))
    repository.write("flags/staff.segment.yaml", "attribute: email\noperator: exists\n")
    repository.write("flags/testers.segment.yaml", "any: [{ segment: staff }]\n")
    repository.commit(300_000_000)
    await both(0)
    repository.write("flags/staff.segment.yaml", 'attribute: email\noperator: endsWith\nvalue: "@a"\n')
    expect((await both(0)).err).toContain("not-committed")
    repository.commit(300_000_001)
    expect((await both(0)).files["production.json"]).toContain("@a")
    const deep = `${"{ all: [".repeat(6)}{ attribute: email, operator: exists }${"] }".repeat(6)}`
    repository.write("flags/staff.segment.yaml", `any: [${deep}]\n`)
    expect((await both(1)).err).toMatch(/deep\.yaml:\S+ error too-deep/) // without a change of its own file
    repository.remove("flags/staff.segment.yaml")
    expect((await both(1)).err).toMatch(/s6\.yaml:\S+ error unknown-segment/)
    repository.git("checkout", "-q", "HEAD~1", "--", "flags")
    await both(0)
  })

  test("from every checkpoint, whatever became of its commit, the same", async () => {
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
        "the line of the checkpoint as the second parent",
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

  test("after one more commit, a build reads that commit's changes and no others", async () => {
    const repository = manyFlags()
    const read = async () => {
      const asked: (readonly string[])[] = []
      const git: Git = (args, options) => {
        asked.push(args)
        return createGit(process.env)(args, options)
      }
      const status = await runBuild(
        { flags: "flags", out: temporary(), cache: true },
        testHost({ cwd: repository.folder, git }),
      )
      expect(status).toBe(0)
      return asked
        .filter((args) => args.includes("--sparse"))
        .map((args) => args[args.indexOf("--sparse") + 1])
    }
    const first = repository.git("rev-parse", "HEAD").trim()
    expect(await read()).toEqual([first])
    expect(await read()).toEqual([])
    repository.write("flags/z9.yaml", "key: z9\ndefaultValue: true\n")
    const second = repository.commit(300_000_000)
    expect(await read()).toEqual([`${first}..${second}`])
  })

  test("a damaged or foreign file counts as missing", async () => {
    const repository = manyFlags()
    const right = await build(repository.folder)
    for (const damage of [
      (bytes: Buffer) => bytes.subarray(0, bytes.length / 2),
      (bytes: Buffer) => Buffer.concat([bytes, Buffer.from("x")]),
      (bytes: Buffer) => Buffer.from(bytes.toString("latin1").replace(/false/g, "true "), "latin1"),
      () => Buffer.from("something else\nentirely\n"),
      () => Buffer.alloc(0),
    ]) {
      for (const file of readdirSync(cacheOf(repository.folder))) {
        const path = join(cacheOf(repository.folder), file)
        writeFileSync(path, damage(readFileSync(path)))
      }
      expect(await build(repository.folder)).toEqual(right)
    }
    const files = readdirSync(cacheOf(repository.folder)).map((file) =>
      join(cacheOf(repository.folder), file),
    )
    for (const [at, file] of files.entries()) {
      copyFileSync(file, files[(at + 1) % files.length] ?? "")
      expect(await build(repository.folder)).toEqual(right)
    }
  })

  test("concurrent builds, a folder that cannot be written, --no-cache, and a limit on its size", {
    tags: ["slow"],
  }, async () => {
    const repository = manyFlags()
    const builds = await Promise.all(Array.from({ length: 8 }, () => build(repository.folder)))
    for (const other of builds) expect(other).toEqual(builds[0])
    expect(
      readdirSync(cacheOf(repository.folder))
        .map((name) => name.replace(/.*\./, ""))
        .sort(),
    ).toEqual(["history"])
    writeFileSync(
      join(cacheOf(repository.folder), "dev-keys.json"),
      "another command's, older than everything that follows",
    )
    for (let version = 0; version < 40; version++) {
      repository.write("flags/project.yaml", `project: p${version}\nenvironments: [production]\n`)
      repository.commit(version)
      await build(repository.folder)
    }
    expect(readdirSync(cacheOf(repository.folder)).length).toBe(31) // 30 of 41, and the other command's
    expect(readdirSync(cacheOf(repository.folder))).toContain("dev-keys.json")
    rmSync(cacheOf(repository.folder), { recursive: true })
    await build(repository.folder, { cache: false })
    expect(readdirSync(join(repository.folder, ".git"))).not.toContain("flagstone")
    writeFileSync(cacheOf(repository.folder), "a file in the folder's place")
    expect((await build(repository.folder)).status).toBe(0)
  })
})
