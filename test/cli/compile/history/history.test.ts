import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { type BuildOptions, runBuild } from "../../../../cli/commands/build.ts"
import { createGit, type Git } from "../../../../cli/git.ts"
import type { FlagEntry, SnapshotDocument } from "../../../../proxy/contract/snapshot.ts"
import { createRepository, openRepository, type TestRepository, time } from "../../../repository.ts"
import { type TestHostOptions, testHost } from "../../../test-host.ts"

const project = "project: shop\nenvironments: [development, production]\n"
const plain = "defaultValue: false\n"

function start(text = plain, flagsFolder = "flags", ...initOptions: readonly string[]): TestRepository {
  const repository = createRepository(...initOptions)
  repository.write(`${flagsFolder}/project.yaml`, project)
  repository.write(`${flagsFolder}/a.yaml`, text)
  repository.commit(10)
  return repository
}

async function build(folder: string, options: Partial<BuildOptions> = {}, given: TestHostOptions = {}) {
  const host = testHost({ cwd: folder, ...given })
  const out = mkdtempSync(join(tmpdir(), "flagstone-dist-"))
  const status = await runBuild({ flags: "flags", out, ...options }, host)
  const read = (file: string) => JSON.parse(readFileSync(join(out, file), "utf8"))
  return { status, err: host.err(), read }
}

/** `[createdAt, updatedAt, environment.updatedAt of development, of production]` of the flag `key`. */
async function timesOf(folder: string, key = "a", options: Partial<BuildOptions> = {}) {
  const { status, err, read } = await build(folder, options)
  expect([status, err]).toEqual([0, ""])
  const entry = (environment: string): FlagEntry | undefined =>
    (read(`${environment}.json`) as SnapshotDocument).flags.find(({ flag }) => flag.key === key)
  const { flag } = entry("production") ?? {}
  return [
    flag?.createdAt,
    flag?.updatedAt,
    ...["development", "production"].map((environment) => entry(environment)?.environment?.updatedAt),
  ]
}

const times = (...at: readonly (number | undefined)[]) => at.map((seconds) => seconds && time(seconds))

const configured = (production: string, more = "") =>
  `${more}defaultValue: false\nenvironments:\n  development: { enabled: true }\n  production: ${production}\n`

describe("a section's time is that of the commit that changed its meaning", () => {
  test.each([
    ["nothing", plain, plain, [10, 10]],
    [
      "a comment, order and quotes",
      "name: A\ndefaultValue: false\n",
      "# a\ndefaultValue: false\n'name': \"A\"\n",
      [10, 10],
    ],
    ["owner, tags, expires", plain, `${plain}owner: me\ntags: [x]\nexpires: 2027-01-01\n`, [10, 10]],
    ["a default written out", plain, `${plain}name: a\ndescription: ""\ntype: boolean\nkey: a\n`, [10, 10]],
    ["the description", plain, `${plain}description: x\n`, [10, 20]],
    ["the id", plain, `${plain}id: x\n`, [10, 20]],
    [
      "the type, but for what stays the same under it",
      configured("{ enabled: true, rules: [{ operator: always, returnValue: b }] }", "type: string\n"),
      configured("{ enabled: true, rules: [{ operator: always, returnValue: b }] }", "type: json\n"),
      [10, 20, 10, 10],
    ],
    [
      "a member's order in JSON",
      "type: json\ndefaultValue: {a: 1, b: 2}\n",
      "type: json\ndefaultValue: {b: 2, a: 1.0}\n",
      [10, 10],
    ],
    [
      "an item's order in JSON",
      "type: json\ndefaultValue: [1, 2]\n",
      "type: json\ndefaultValue: [2, 1]\n",
      [10, 20],
    ],
    ["a configuration", configured("{ enabled: false }"), configured("{ enabled: true }"), [10, 10, 10, 20]],
    [
      "empty rules",
      configured("{ enabled: true }"),
      configured("{ enabled: true, rules: [] }"),
      [10, 10, 10, 10],
    ],
    [
      "an anchor",
      configured("{ enabled: true }"),
      "defaultValue: false\nenvironments: { development: &x { enabled: true }, production: *x }\n",
      [10, 10, 10, 10],
    ],
    ["a new configuration", plain, configured("{ enabled: true }"), [10, 10, 20, 20]],
    ["a configuration that goes", configured("{ enabled: true }"), plain, [10, 10]],
    [
      "line ends",
      configured("{ enabled: true }"),
      configured("{ enabled: true }").replaceAll("\n", "\r\n"),
      [10, 10, 10, 10],
    ],
    [
      "a text's indentation",
      `${plain}description: |\n  x\n  y\n`,
      `${plain}description: |-4\n    x\n    y\n`.replace("|-4", "|"),
      [10, 10],
    ],
  ] as const)("%s", async (_, before, after, expected) => {
    const repository = start(before)
    repository.write("flags/a.yaml", after)
    repository.commit(20)
    const [created, updated, development, production] = expected as readonly (number | undefined)[]
    expect(await timesOf(repository.folder)).toEqual(times(created, updated, development, production))
  })

  test("there and back again is a change at the return", async () => {
    const repository = start(configured("{ enabled: false }"))
    repository.write("flags/a.yaml", configured("{ enabled: true }", "name: B\n"))
    repository.commit(20)
    repository.write("flags/a.yaml", configured("{ enabled: false }"))
    repository.commit(30)
    expect(await timesOf(repository.folder)).toEqual(times(10, 30, 10, 30))
  })

  test("a configuration that went and came back", async () => {
    const repository = start(configured("{ enabled: false }"))
    repository.write("flags/a.yaml", plain)
    repository.commit(20)
    repository.write("flags/a.yaml", configured("{ enabled: false }"))
    repository.commit(30)
    expect(await timesOf(repository.folder)).toEqual(times(10, 10, 30, 30))
  })

  test("a change of the project file moves nothing", async () => {
    const repository = start(configured("{ enabled: false }"))
    repository.write("flags/project.yaml", "project: other\nenvironments: [production, development]\n")
    repository.commit(20)
    expect(await timesOf(repository.folder)).toEqual(times(10, 10, 10, 10))
  })

  test("commits with equal and with backward times", async () => {
    const repository = start(configured("{ enabled: false }"))
    repository.write("flags/a.yaml", configured("{ enabled: true }"))
    repository.commit(5)
    repository.write("flags/b.yaml", plain)
    repository.commit(5)
    expect(await timesOf(repository.folder)).toEqual(times(10, 10, 10, 5))
    expect(await timesOf(repository.folder, "b")).toEqual(times(5, 5, undefined, undefined))
  })
})

describe("identity is the key", () => {
  test.each([
    ["a move to another folder", "flags/deep/er/a.yaml", plain],
    ["another ending", "flags/a.yml", plain],
    ["another name, with the key inside", "flags/other.yaml", `${plain}key: a\nname: a\n`],
    ["names that are not ASCII", 'flags/größe/日本 "x"\t.yaml', `${plain}key: a\nname: a\n`],
  ])("%s", async (_, path, text) => {
    const repository = start()
    repository.remove("flags/a.yaml")
    repository.write(path, text)
    repository.commit(20)
    expect(await timesOf(repository.folder)).toEqual(times(10, 10, undefined, undefined))
    repository.write(path, `${text}description: x\n`)
    repository.commit(30)
    expect(await timesOf(repository.folder)).toEqual(times(10, 30, undefined, undefined))
  })

  test("another key is another flag, and the old key's flag has ended", async () => {
    const repository = start()
    repository.write("flags/a.yaml", `${plain}key: b\n`)
    repository.commit(20)
    expect(await timesOf(repository.folder, "b")).toEqual(times(20, 20, undefined, undefined))
    repository.write("flags/a.yaml", plain)
    repository.commit(30)
    expect(await timesOf(repository.folder)).toEqual(times(30, 30, undefined, undefined))
  })

  test("deleted and created again starts anew", async () => {
    const repository = start(configured("{ enabled: true }"))
    repository.remove("flags/a.yaml")
    repository.commit(20)
    repository.write("flags/a.yaml", configured("{ enabled: true }"))
    repository.commit(30)
    expect(await timesOf(repository.folder)).toEqual(times(30, 30, 30, 30))
  })

  test("two files that swap their names swap their lives", async () => {
    const repository = start()
    repository.write("flags/b.yaml", `${plain}description: b\n`)
    repository.commit(20)
    repository.write("flags/a.yaml", `${plain}description: b\nkey: b\n`)
    repository.write("flags/b.yaml", `${plain}key: a\n`)
    repository.commit(30)
    expect(await timesOf(repository.folder)).toEqual(times(10, 10, undefined, undefined))
    expect(await timesOf(repository.folder, "b")).toEqual(times(20, 20, undefined, undefined))
  })

  test("a file that was copied first and removed later has gone on", async () => {
    const repository = start()
    repository.write("flags/z/a.yaml", plain)
    repository.commit(20)
    repository.remove("flags/a.yaml")
    repository.commit(30)
    expect(await timesOf(repository.folder)).toEqual(times(10, 10, undefined, undefined))
  })

  test("a link and a submodule in a file's place are no flag", async () => {
    const repository = start()
    repository.remove("flags/a.yaml")
    symlinkSync("project.yaml", join(repository.folder, "flags/a.yaml"))
    repository.commit(20)
    repository.remove("flags/a.yaml")
    repository.write("flags/a.yaml", plain)
    repository.commit(30)
    expect(await timesOf(repository.folder)).toEqual(times(30, 30, undefined, undefined))
  })
})

describe("versions that could not be built", () => {
  test.each([
    ["no YAML", "defaultValue: ["],
    ["a list", "- 1\n"],
    ["empty", ""],
    ["no UTF-8", "latin1"],
    ["merge keys", "x: &x {defaultValue: true}\n<<: *x\n"],
    ["a billion letters", `x: &x "${"x".repeat(300_000)}"\ny: [${"*x, ".repeat(3_000)}]\n`],
    ["names of a billion letters", `x: &x {"${"x".repeat(300_000)}": 1}\ny: [${"*x, ".repeat(3_000)}]\n`],
  ])("%s: the flag keeps the meaning that it had", async (_, broken) => {
    const repository = start()
    if (broken === "latin1")
      writeFileSync(join(repository.folder, "flags/a.yaml"), Buffer.from("description: gr\xfcn\n", "latin1"))
    else repository.write("flags/a.yaml", broken)
    repository.commit(20)
    repository.write("flags/a.yaml", plain)
    repository.commit(30)
    expect(await timesOf(repository.folder)).toEqual(times(10, 10, undefined, undefined))
  })

  test("through a move, too; and one that was broken from the start begins when it can be read", async () => {
    const repository = start()
    repository.remove("flags/a.yaml")
    repository.write("flags/x/a.yaml", "[")
    repository.write("flags/b.yaml", "[")
    repository.commit(20)
    repository.write("flags/x/a.yaml", plain)
    repository.write("flags/b.yaml", plain)
    repository.commit(30)
    expect(await timesOf(repository.folder)).toEqual(times(10, 10, undefined, undefined))
    expect(await timesOf(repository.folder, "b")).toEqual(times(30, 30, undefined, undefined))
  })

  test("what breaks today's rules is read as far as it goes", async () => {
    const repository = start(`${configured("{ enabled: maybe, rules: 3 }")}unknown: 1\ntype: color\n`)
    repository.write("flags/a.yaml", configured("{ enabled: false }"))
    repository.commit(20)
    expect(await timesOf(repository.folder)).toEqual(times(10, 10, 10, 10))
  })
})

describe("where the flags folder lies, and lay", () => {
  test("below the repository's top, with other projects beside it", async () => {
    const repository = start(plain, "services/größe/flags")
    repository.write("services/other/flags/project.yaml", project)
    repository.write("services/other/flags/a.yaml", plain)
    repository.write("README.md", "x")
    repository.commit(20)
    repository.write("services/größe/flags/a.yaml", `${plain}description: x\n`)
    repository.commit(30)
    const of = (flags: string) => timesOf(repository.folder, "a", { flags })
    expect(await of("services/größe/flags")).toEqual(times(10, 30, undefined, undefined))
    expect(await of("services/other/flags")).toEqual(times(20, 20, undefined, undefined))
  })

  test("the top itself", async () => {
    const repository = createRepository()
    repository.write("project.yaml", project)
    repository.write("a.yaml", plain)
    repository.commit(10)
    repository.write("b.yaml", plain)
    repository.commit(20)
    expect(await timesOf(repository.folder, "a", { flags: "." })).toEqual(times(10, 10, undefined, undefined))
    expect(await timesOf(repository.folder, "b", { flags: "." })).toEqual(times(20, 20, undefined, undefined))
  })

  test.each([
    [["flags", "config/flags"]],
    [["flags", "config/flags", "flags"]],
    [["old/place", "flags/new", "elsewhere", "flags/new"]],
    [["", "flags"]],
    [["flags", ""]],
    [["flags", "flags/inner"]],
    [["flags/inner", "flags"]],
  ])("moved as a whole: %j", async (places) => {
    const repository = createRepository()
    let at = 10
    const last = places.length - 1
    for (const [index, place] of places.entries()) {
      const before = places[index - 1]
      const path = (folder: string, file: string) => (folder === "" ? file : `${folder}/${file}`)
      if (before === undefined) {
        repository.write(path(place, "project.yaml"), project)
        repository.write(path(place, "a.yaml"), plain)
      } else {
        for (const file of ["project.yaml", "a.yaml"]) repository.move(path(before, file), path(place, file))
      }
      repository.commit(at)
      at += 10
      repository.write("unrelated.txt", String(at))
      repository.commit(at)
      at += 10
    }
    const flags = places[last] === "" ? "." : (places[last] ?? "")
    if (flags !== ".")
      expect(await timesOf(repository.folder, "a", { flags })).toEqual(times(10, 10, undefined, undefined))
    else expect((await build(repository.folder, { flags })).err).toContain("stray-file")
  })

  test("moved together with changes; a flag that stayed behind has ended, one that was there before begins", async () => {
    const repository = start()
    repository.write("flags/b.yaml", plain)
    repository.write("flags/c.yaml", plain)
    repository.write("new/d.yaml", plain)
    repository.commit(20)
    repository.move("flags/project.yaml", "new/project.yaml")
    repository.move("flags/b.yaml", "new/b.yaml")
    repository.remove("flags/a.yaml")
    repository.write("new/a.yaml", `${plain}description: x\n`)
    repository.commit(30)
    repository.move("flags/c.yaml", "new/c.yaml")
    repository.commit(40)
    const of = (key: string) => timesOf(repository.folder, key, { flags: "new" })
    expect(await of("a")).toEqual(times(10, 30, undefined, undefined))
    expect(await of("b")).toEqual(times(20, 20, undefined, undefined))
    expect(await of("c")).toEqual(times(40, 40, undefined, undefined))
    expect(await of("d")).toEqual(times(30, 30, undefined, undefined))
  })

  test("a new project beside one that ended is not that one", async () => {
    const repository = start()
    repository.remove("flags")
    repository.write("new/project.yaml", `${project}# another\n`)
    repository.write("new/a.yaml", `${plain}description: another\n`)
    repository.commit(20)
    expect(await timesOf(repository.folder, "a", { flags: "new" })).toEqual(
      times(20, 20, undefined, undefined),
    )
  })

  test("a project file that was lost for a while", async () => {
    const repository = start()
    repository.remove("flags/project.yaml")
    repository.commit(20)
    repository.write("flags/project.yaml", project)
    repository.commit(30)
    expect(await timesOf(repository.folder)).toEqual(times(10, 10, undefined, undefined))
  })

  test("a linked work tree, a submodule, and SHA-256", async () => {
    const repository = start()
    const linked = join(mkdtempSync(join(tmpdir(), "flagstone-")), "linked")
    repository.git("worktree", "add", "-q", linked)
    expect(await timesOf(linked)).toEqual(times(10, 10, undefined, undefined))

    const outer = createRepository()
    outer.git(
      "-c",
      "protocol.file.allow=always",
      "submodule",
      "--quiet",
      "add",
      repository.folder,
      "vendor/flags",
    )
    outer.commit(99)
    expect(await timesOf(join(outer.folder, "vendor/flags"))).toEqual(times(10, 10, undefined, undefined))

    const modern = start(plain, "flags", "--object-format=sha256")
    modern.write("flags/a.yaml", `${plain}description: x\n`)
    modern.commit(20)
    expect(await timesOf(modern.folder)).toEqual(times(10, 20, undefined, undefined))
    expect((await build(modern.folder)).read("manifest.json").revision).toMatch(/^[0-9a-f]{64}$/)
  })
})

test("a merged change has the merge's time; what the branch did before does not count", async () => {
  const repository = start(configured("{ enabled: false }"))
  repository.git("checkout", "-q", "-b", "branch")
  repository.write("flags/a.yaml", configured("{ enabled: true }"))
  repository.commit(20)
  repository.write("flags/b.yaml", plain)
  repository.commit(30)
  repository.git("checkout", "-q", "main")
  repository.write("flags/c.yaml", plain)
  repository.commit(25)
  repository.git("merge", "-q", "--no-ff", "--no-commit", "branch")
  repository.commit(40)
  expect(await timesOf(repository.folder)).toEqual(times(10, 10, 10, 40))
  expect(await timesOf(repository.folder, "b")).toEqual(times(40, 40, undefined, undefined))
  expect(await timesOf(repository.folder, "c")).toEqual(times(25, 25, undefined, undefined))
})

describe("what is not committed has the newest commit's time, and is named", () => {
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
        "  Not committed: 7 files, the first 5 of which are named here. Until then the changes have the newest commit's time.\n" +
        ["a", "b", "c", "d", "ignored"]
          .map((name) => `  flags/${name}.yaml:1:1 It differs from the newest commit.\n`)
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
      "flags/project.yaml:1:1 It differs from the newest commit.",
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
      "flags/b.yaml:1:1 It differs from the newest commit.",
    )
  })
})

describe("states in which git cannot give the times", () => {
  test("no repository, no commit, no git: the files' times, or SOURCE_DATE_EPOCH", async () => {
    const repository = createRepository()
    repository.write("flags/project.yaml", project)
    repository.write("flags/a.yaml", plain)
    utimesSync(join(repository.folder, "flags/a.yaml"), 1_600_000_000, 1_600_000_000)
    const unborn = await build(repository.folder)
    expect(unborn.err).toContain("the git repository has no commit yet")
    expect(unborn.read("production.json").flags[0].flag.createdAt).toBe("2020-09-13T12:26:40.000Z")
    expect(unborn.read("manifest.json").revision).toBe(null)
    const without = await build(repository.folder, {}, { git: createGit({ PATH: "/nowhere" }) })
    expect(without.err).toContain("git is not installed")
    rmSync(join(repository.folder, ".git"), { recursive: true })
    const outside = await build(repository.folder, {}, { env: { SOURCE_DATE_EPOCH: "1700000000" } })
    expect(outside.err).toContain("the flags folder is not in a git repository")
    expect(outside.read("production.json").flags[0].flag.createdAt).toBe("2023-11-14T22:13:20.000Z")
    expect((await build(repository.folder, { requireClean: true })).status).toBe(1)
  })

  test("a repository that git refuses or cannot read is not taken for none", async () => {
    const repository = start()
    const owned = createGit({ ...process.env, GIT_TEST_ASSUME_DIFFERENT_OWNER: "1", HOME: "/nowhere" })
    await expect(build(repository.folder, {}, { git: owned })).rejects.toThrow(/safe\.directory/)
    const env = { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "safe.directory", GIT_CONFIG_VALUE_0: "*" }
    const safe = createGit({ ...process.env, ...env, GIT_TEST_ASSUME_DIFFERENT_OWNER: "1", HOME: "/nowhere" })
    expect((await build(repository.folder, {}, { git: safe })).status).toBe(0)
    writeFileSync(join(repository.folder, ".git/config"), "[nonsense")
    await expect(build(repository.folder)).rejects.toThrow(/bad config/)
  })

  test("a shallow clone", async () => {
    const repository = start()
    repository.write("flags/b.yaml", plain)
    repository.commit(20)
    const folder = join(mkdtempSync(join(tmpdir(), "flagstone-")), "clone")
    repository.git("clone", "-q", "--depth=1", `file://${repository.folder}`, folder)
    const refused = await build(folder)
    expect([refused.status, refused.err]).toEqual([1, expect.stringContaining("fetch-depth: 0")])
    const allowed = await build(folder, { allowShallow: true })
    expect([allowed.status, allowed.err]).toEqual([0, expect.stringContaining("warning shallow-clone")])
    expect(allowed.read("production.json").flags[0].flag.createdAt).toBe(time(20))
  })

  test("a partial clone gets what it lacks in one request, or says the fix", async () => {
    const repository = start(configured("{ enabled: false }"))
    for (let at = 20; at <= 50; at += 10) {
      repository.write("flags/a.yaml", configured(`{ enabled: ${at === 40} }`))
      repository.commit(at)
    }
    repository.git("config", "uploadpack.allowFilter", "true")
    const clone = (filter: string) => {
      const folder = join(mkdtempSync(join(tmpdir(), "flagstone-")), "clone")
      repository.git("clone", "-q", `--filter=${filter}`, `file://${repository.folder}`, folder)
      return folder
    }
    const blobless = clone("blob:none")
    const trace = join(mkdtempSync(join(tmpdir(), "flagstone-")), "trace")
    const git = createGit({ ...process.env, GIT_TRACE: trace })
    const { read } = await build(blobless, {}, { git })
    expect(read("production.json").flags[0].environment.updatedAt).toBe(time(50))
    expect(readFileSync(trace, "utf8").match(/git-upload-pack|upload-pack '/g)?.length).toBeLessThan(3)
    await expect(build(clone("tree:0"))).rejects.toThrow("clone with --filter=blob:none")
    const failing = clone("blob:none")
    openRepository(failing).write("flags/b.yaml", "[")
    const asked: string[] = []
    const answers: Promise<unknown>[] = []
    const watched: Git = (args, options) => {
      const answer = createGit(process.env)(args, options)
      asked.push(...args)
      answers.push(answer)
      return answer
    }
    expect((await build(failing, {}, { git: watched })).status).toBe(1)
    await Promise.allSettled(answers)
    await new Promise(setImmediate)
    expect(asked).toContain("--first-parent")
    expect(asked).not.toContain("fetch")
    expect(asked).not.toContain("cat-file")
    const cut = clone("blob:none")
    openRepository(cut).git("remote", "set-url", "origin", "/nowhere")
    await expect(build(cut)).rejects.toThrow("clone without --filter")
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

test("neither the configuration of the user, nor the environment of a hook, nor what is committed has a say", async () => {
  const repository = start(configured("{ enabled: false }"))
  repository.move("flags/a.yaml", "flags/x/a.yaml")
  repository.commit(20)
  repository.git("checkout", "-q", "-b", "branch")
  repository.write("flags/x/a.yaml", configured("{ enabled: true }"))
  repository.commit(30)
  repository.git("checkout", "-q", "main")
  repository.git("merge", "-q", "--no-ff", "--no-commit", "branch")
  repository.commit(40)
  repository.git("replace", "HEAD", "HEAD~1")
  const ran = join(repository.folder, "ran")
  const run = `!touch ${ran}; cat`
  repository.write(".gitattributes", "*.yaml filter=evil diff=evil ident\n")
  repository.write(".mailmap", "Bob <bob@example.com> <ann@example.com>\n")
  repository.write("flags/x/b.yaml", plain)
  repository.write(".git/hooks/post-index-change", `#!/bin/sh\ntouch ${ran}\n`)
  execFileSync("chmod", ["+x", join(repository.folder, ".git/hooks/post-index-change")])
  for (const [name, value] of Object.entries({
    "filter.evil.clean": run,
    "filter.evil.smudge": run,
    "diff.evil.textconv": run,
    "diff.external": run,
    "core.fsmonitor": `touch ${ran}`,
    "core.pager": run,
    "gpg.program": run,
    "log.showSignature": "true",
    "log.showRoot": "false",
    "log.follow": "true",
    "log.date": "relative",
    "log.diffMerges": "off",
    "log.abbrevCommit": "true",
    "diff.renames": "copies",
    "diff.orderFile": "/nowhere",
    "diff.relative": "true",
    "diff.noprefix": "true",
    "color.ui": "always",
    "core.quotePath": "true",
    "core.abbrev": "4",
    "format.pretty": "oneline",
    "alias.log": run,
    "i18n.logOutputEncoding": "UTF-16",
  }))
    repository.git("config", name, value)
  const hook = {
    GIT_DIR: ".git",
    GIT_INDEX_FILE: ".git/index",
    GIT_PREFIX: "flags/",
    GIT_ICASE_PATHSPECS: "1",
    GIT_EXTERNAL_DIFF: `touch ${ran}`,
    GIT_PAGER: `touch ${ran}`,
  }
  const { err, read } = await build(repository.folder, {}, { git: createGit({ ...process.env, ...hook }) })
  expect(err).toContain("flags/x/b.yaml:1:1 It differs from the newest commit.")
  const [a] = (read("production.json") as SnapshotDocument).flags
  expect([a?.flag.createdAt, a?.flag.updatedAt, a?.environment?.updatedAt]).toEqual(times(10, 10, 40))
  expect(() => readFileSync(ran)).toThrow()
})
