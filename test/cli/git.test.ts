// @module-tag system
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { createGit } from "../../cli/git.ts"
import { createProjectRepository, createRepository, gitEnv } from "../repository.ts"

/** Variables that set what a configuration file could set. */
const configuring = (name: string, value: string) => ({
  ...gitEnv,
  GIT_CONFIG_COUNT: "1",
  GIT_CONFIG_KEY_0: name,
  GIT_CONFIG_VALUE_0: value,
})

describe("what git may run", () => {
  test.each([
    ["the repository's settings", gitEnv],
    ["the user's settings", configuring("protocol.ext.allow", "always")],
    ["the allowed protocols", { ...gitEnv, GIT_ALLOW_PROTOCOL: "https:ext:text" }],
    ["the allowed protocols, of which it is the only one,", { ...gitEnv, GIT_ALLOW_PROTOCOL: "ext" }],
  ])("no remote that is a command, whatever %s say", async (_, env) => {
    const { folder, git } = createRepository()
    git("config", "protocol.ext.allow", "always")
    const marker = join(folder, "ran")
    const { status, stderr } = await createGit(env)(["fetch", `ext::sh -c touch% ${marker}`], { cwd: folder })
    expect([status, stderr]).toEqual([128, expect.stringContaining("transport 'ext' not allowed")])
    expect(existsSync(marker)).toBe(false)
  })

  test("the allowed protocols are otherwise as the user set them", async () => {
    const { folder } = createRepository()
    const remote = createRepository()
    remote.commit(10)
    const fetch = (allowed: string) =>
      createGit({ ...gitEnv, GIT_ALLOW_PROTOCOL: allowed })(["fetch", "-q", remote.folder], { cwd: folder })
    expect((await fetch("https:file")).status).toBe(0)
    expect((await fetch("https")).stderr).toContain("transport 'file' not allowed")
    expect((await fetch("")).stderr).toContain("transport 'file' not allowed")
  })

  test("no bare repository is found, even by a git that is allowed to", async () => {
    const { folder } = createRepository()
    const git = createGit(configuring("safe.bareRepository", "all"))
    const { stdout } = await git(["config", "--get", "safe.bareRepository"], { cwd: folder })
    expect(stdout.toString()).toBe("explicit\n")
  })
})

describe("what git says", () => {
  test("subjects are in UTF-8, and no advice is given about what only this program sets", async () => {
    const { folder, git } = createRepository()
    git("config", "i18n.logOutputEncoding", "ISO-8859-1")
    git("commit", "--quiet", "--allow-empty", "--message", "Prüfung")
    const { stdout, stderr } = await createGit(gitEnv)(["log", "--format=%s"], { cwd: folder })
    expect([stdout.toString("utf8"), stderr]).toEqual(["Prüfung\n", ""])
  })

  test.each([
    ["diff", "diff"],
    ["usages", "usages"],
    ["build", "build"],
  ])("a repository that git refuses is refused in its words: %s", async (_, command) => {
    const { commit, flagstone } = createProjectRepository()
    commit(10)
    const git = createGit({ ...gitEnv, GIT_TEST_ASSUME_DIFFERENT_OWNER: "1", HOME: "/nowhere" })
    const { status, err } = await flagstone([command], { git })
    expect([status, err]).toEqual([2, expect.stringContaining("dubious ownership")])
  })
})

describe("where git starts", () => {
  const started = "a git that was started"

  /** A git that only says that it was started. */
  function createProbe() {
    const folder = mkdtempSync(join(tmpdir(), "flagstone-git-"))
    writeFileSync(join(folder, "git"), `#!/bin/sh\necho '${started}'\n`, { mode: 0o755 })
    const git = createGit({ PATH: `${folder}:${process.env.PATH}` })
    return async (cwd: string) => (await git(["status"], { cwd })).stdout.toString().trim()
  }

  function folderWith(files: readonly string[]): string {
    const folder = mkdtempSync(join(tmpdir(), "flagstone-folder-"))
    for (const name of files) mkdirSync(join(folder, name), { recursive: true })
    return folder
  }

  test.each([
    ["itself", ["HEAD", "objects", "refs"], ""],
    ["far above", ["HEAD", "objects", "refs", "a/b/c"], "a/b/c"],
    ["with its objects elsewhere", ["HEAD", "commondir"], ""],
  ])("not in a bare repository: %s", async (_, files, below) => {
    const folder = folderWith(files)
    await expect(createProbe()(join(folder, below))).rejects.toThrow(
      `git takes ${folder} for a bare repository, whose settings can name programs to run: remove ${folder}/HEAD`,
    )
  })

  test.each([
    ["a folder without one of the files", ["HEAD", "objects", "ref"], ""],
    ["a work tree in a bare repository", ["HEAD", "objects", "refs", "tree/.git"], "tree"],
    ["a folder beside one", ["flags", "old/HEAD", "old/objects", "old/refs"], "flags"],
  ])("in %s", async (_, files, below) => {
    expect(await createProbe()(join(folderWith(files), below))).toBe(started)
  })
})
