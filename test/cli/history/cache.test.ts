// @module-tag system
// @module-tag slow
import { mkdtempSync, readdirSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { createGit, type Git } from "../../../cli/git.ts"
import { createHistoryCache, type HistoryCache } from "../../../cli/history/history-cache.ts"
import { buildProject } from "../../../cli/project/build-project.ts"
import { testHost } from "../../test-host.ts"
import { manyFlags } from "../project/many-flags.ts"

const temporary = () => mkdtempSync(join(tmpdir(), "flagstone-cache-"))
const readAll = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), "utf8")]))

describe("the cache changes only how long a build takes", () => {
  const build = async (cwd: string, cache?: HistoryCache, git?: Git) => {
    const host = testHost({ cwd, ...(git && { git }) })
    const out = temporary()
    const result = await buildProject({ flags: "flags", out, ...(cache && { cache }) }, host)
    const made = result.kind === "made"
    return { status: made ? 0 : result.status, err: host.err(), files: made ? readAll(out) : {} }
  }

  test("a clone that was shallow and is complete now has all times", async () => {
    const repository = manyFlags()
    const clone = join(temporary(), "clone")
    const cache = createHistoryCache()
    repository.git("clone", "-q", "--depth=1", `file://${repository.folder}`, clone)
    const options = { flags: "flags", out: temporary(), allowShallow: true, cache }
    expect((await buildProject(options, testHost({ cwd: clone }))).kind).toBe("made")
    repository.git("-C", clone, "fetch", "-q", "--unshallow")
    expect(await build(clone, cache)).toEqual(await build(repository.folder))
  })

  test("with and without it, after every kind of change, the same", async () => {
    const repository = manyFlags()
    const cache = createHistoryCache()
    const both = async () => {
      const warm = await build(repository.folder, cache)
      expect(await build(repository.folder, cache)).toEqual(warm)
      expect(await build(repository.folder)).toEqual(warm)
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
    const cache = createHistoryCache()
    const both = async (status: number) => {
      const warm = await build(repository.folder, cache)
      expect(await build(repository.folder)).toEqual(warm)
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
    const cache = createHistoryCache()
    const both = async (name: string) => {
      const warm = await build(folder, cache)
      expect(warm, name).toEqual(await build(folder))
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
    const cache = createHistoryCache()
    const read = async () => {
      const asked: (readonly string[])[] = []
      const git: Git = (args, options) => {
        asked.push(args)
        return createGit(process.env)(args, options)
      }
      expect((await build(repository.folder, cache, git)).status).toBe(0)
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
})
