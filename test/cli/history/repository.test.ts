// @module-tag system
import { execFileSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { createGit, type Git } from "../../../cli/git.ts"
import type { SnapshotDocument } from "../../../sdk/contract/snapshot.ts"
import { createProjectRepository, createRepository, openRepository, time } from "../../repository.ts"
import { build, configured, plain, project, start, times } from "./built-times.ts"

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

  test("a repository that git refuses or cannot read is not mistaken for a missing one", async () => {
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

  test("a partial clone gets what it lacks in one request, or prints the fix", async () => {
    const repository = start(configured("{ enabled: false }"))
    for (let at = 20; at <= 50; at += 10) {
      repository.write("flags/a.yaml", configured(`{ enabled: false, id: at-${at} }`)) // four blobs, of which the newest is there
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
    expect(readFileSync(trace, "utf8").match(/run_command: .*git-upload-pack/g)).toHaveLength(1)
    const bare = clone("blob:none") // which names its remote only in the remote's settings, in a different order
    openRepository(bare).git("config", "--unset", "remote.origin.promisor")
    openRepository(bare).git("config", "remote.origin.promisor", "true")
    const another = join(mkdtempSync(join(tmpdir(), "flagstone-")), "trace")
    await build(bare, {}, { git: createGit({ ...process.env, GIT_TRACE: another }) })
    expect(readFileSync(another, "utf8").match(/run_command: .*git-upload-pack/g)).toHaveLength(1)
    const distant = clone("blob:none") // from a host that only the user's ssh reaches
    const ssh = join(mkdtempSync(join(tmpdir(), "flagstone-")), "ssh")
    writeFileSync(ssh, '#!/bin/sh\nwhile [ $# -gt 1 ]; do shift; done\nexec sh -c "$1"\n', { mode: 0o755 })
    openRepository(distant).git("remote", "set-url", "origin", `ssh://distant${repository.folder}`)
    openRepository(distant).git("config", "core.sshCommand", ssh)
    expect((await build(distant)).read("production.json").flags[0].environment.updatedAt).toBe(time(50))
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

test("a committer's date after the year 9999 becomes its last second: timestamps have four digits for the year", async () => {
  const repository = start()
  repository.write("flags/far.yaml", plain)
  repository.commit(Date.UTC(10_000, 0, 1) / 1000 - Date.UTC(2020, 0, 1) / 1000)
  const { read } = await build(repository.folder)
  const { flags }: SnapshotDocument = read("production.json")
  expect(flags.find(({ flag }) => flag.key === "far")?.flag.createdAt).toBe("9999-12-31T23:59:59.000Z")
})

test.each(["8640000000001 +0000", "never"])("a commit of the time %j stops no command", async (at) => {
  const { folder, commitFlags, flagstone, git, write, remove } = createProjectRepository()
  const parent = commitFlags({ a: false })
  write("flags/a.yaml", "defaultValue: true\n")
  git("add", "-A")
  const person = `Ann <ann@example.com> ${at}`
  const tree = git("write-tree").trim()
  write("odd", `tree ${tree}\nparent ${parent}\nauthor ${person}\ncommitter ${person}\n\nOdd\n`)
  git("reset", "-q", "--hard", git("hash-object", "-t", "commit", "-w", "--literally", "odd").trim())
  remove("odd")
  const target = `${folder}.d`
  for (const command of [
    ["build"],
    ["publish", target],
    ["verify", target],
    ["evaluate", "a", "--environment", "production", "--history"],
    ["evaluate", "a", "--environment", "production", "--at", "HEAD"],
    ["stale", "--code", "."],
    ["catalog", "--out", "catalog.html"],
  ]) {
    const { status, err } = await flagstone(command)
    expect([command, status, err]).toEqual([command, 0, expect.any(String)])
  }
})

test("the user's configuration, a hook's environment and committed files have no influence", async () => {
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
    GIT_SHALLOW_FILE: join(repository.folder, ".git/refs/heads/main"),
    GIT_EXTERNAL_DIFF: `touch ${ran}`,
    GIT_PAGER: `touch ${ran}`,
  }
  const { err, read } = await build(repository.folder, {}, { git: createGit({ ...process.env, ...hook }) })
  expect(err).toContain("flags/x/b.yaml:1:1 This differs from the newest commit.")
  const [a] = (read("production.json") as SnapshotDocument).flags
  expect([a?.flag.createdAt, a?.flag.updatedAt, a?.environment?.updatedAt]).toEqual(times(10, 10, 40))
  expect(existsSync(ran)).toBe(false)
})
