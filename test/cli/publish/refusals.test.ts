// @module-tag system
// @module-tag slow
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { createProjectRepository } from "../../repository.ts"
import { s3Publisher } from "./s3-publisher.ts"

const { build, publish, release, repository, s3, target } = s3Publisher()

describe("refused unless allowed", () => {
  test("uncommitted changes", async () => {
    const revision = repository().commitFlags({ a: true })
    appendFileSync(join(repository().folder, "flags/a.yaml"), "name: Changed\n")
    await build()
    expect(await publish()).toMatchObject({ status: 2, err: expect.stringContaining("--allow-dirty") })
    expect((await publish("--allow-dirty")).status).toBe(0)
    expect((await publish("--list")).out).toMatch(new RegExp(`^\\* ${revision}-dirty-[0-9a-f]{12} `))
    appendFileSync(join(repository().folder, "flags/a.yaml"), "description: Changed again\n")
    await build()
    expect((await publish("--allow-dirty")).status).toBe(0)
    expect((await publish("--list")).out.split("\n")).toHaveLength(3)
  })

  test("a build that does not come from a commit", async () => {
    repository().commitFlags({ a: true })
    rmSync(join(repository().folder, ".git"), { recursive: true })
    await build()
    expect(await publish()).toMatchObject({
      status: 2,
      err: expect.stringContaining("the build has no commit"),
    })
    expect((await publish("--allow-dirty")).status).toBe(0)
    expect((await publish("--list")).out).toMatch(/^\* uncommitted-[0-9a-f]{12} /)
  })

  test("a shallow clone", async () => {
    repository().commitFlags({ a: true })
    repository().commitFlags({ b: true })
    const clone = createProjectRepository()
    const built = await clone.flagstone(["build"], { cwd: shallowCloneOf(repository().folder) })
    expect(built.status).toBe(1)
    const cwd = shallowCloneOf(repository().folder)
    expect((await clone.flagstone(["build", "--allow-shallow"], { cwd })).status).toBe(0)
    const options = { cwd, env: s3().env, now: Date.now }
    expect(await clone.flagstone(["publish", target()], options)).toMatchObject({
      status: 2,
      err: expect.stringContaining("fetch-depth: 0"),
    })
    expect((await clone.flagstone(["publish", target(), "--allow-shallow"], options)).status).toBe(0)
  })

  test.each([
    ["an empty project", { a: undefined, b: undefined, c: undefined }, "the build has no flags"],
    ["most flags gone", { a: undefined, b: undefined }, "the build lacks 2 of 3 published flags;"],
    [
      "as many flags, but others",
      { a: undefined, b: undefined, x: true, y: true },
      "the build lacks 2 of 3 published flags;",
    ],
  ])("%s", async (_, flags, message) => {
    await release({ a: true, b: true, c: true })
    const { status, err } = await release(flags)
    expect(status).toBe(2)
    expect(err).toContain(message)
    expect(err).toContain("--allow-shrink")
    expect((await publish("--allow-shrink")).status).toBe(0)
  })

  test("exactly half of the flags may go", async () => {
    await release({ a: true, b: true })
    expect((await release({ a: undefined })).status).toBe(0)
  })

  test("an empty project that was never published, a different project, a missing environment", async () => {
    expect((await release({})).err).toContain("the build has no flags")
    await release({ a: true })
    const project = join(repository().folder, "flags/project.yaml")
    writeFileSync(project, "project: shop\nenvironments: [staging]\n")
    writeFileSync(join(repository().folder, "flags/a.yaml"), "defaultValue: true\n")
    expect((await release({})).err).toContain("the build lacks the environment production")
    writeFileSync(project, "project: other\nenvironments: [staging, production]\n")
    expect((await release({})).err).toContain("has the project shop, but this is other")
  })

  test("an incomplete build, and none at all", async () => {
    expect((await publish()).err).toContain("run `flagstone build` first")
    await release({ a: true })
    writeFileSync(join(repository().folder, "dist/staging.json"), '{"flags":[]}\n')
    expect((await publish()).err).toContain("does not match its manifest")
  })
})

function shallowCloneOf(cwd: string): string {
  const { execFileSync } = process.getBuiltinModule("node:child_process")
  const clone = mkdtempSync(join(tmpdir(), "flagstone-shallow-"))
  execFileSync("git", ["clone", "-q", "--depth", "1", `file://${cwd}`, clone])
  return clone
}
