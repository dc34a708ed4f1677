// @module-tag system
import { existsSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { createGit } from "../../cli/git.ts"
import { createRepository, gitEnv } from "../repository.ts"

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
