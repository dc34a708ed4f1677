// @module-tag system
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { runBuild } from "../../../cli/commands/build.ts"
import { testHost } from "../../test-host.ts"
import { manyFlags } from "../project/many-flags.ts"

describe("build --check", () => {
  const check = async (cwd: string) => {
    const host = testHost({ cwd })
    const status = await runBuild({ flags: "flags", out: "dist", check: true }, host)
    return { status, out: host.out(), err: host.err() }
  }

  test("says whether dist is what the flags give, and what differs", async () => {
    const repository = manyFlags()
    const { folder } = repository
    expect(await check(folder)).toEqual({
      status: 1,
      out: "dist/production.json: missing\ndist/b.json: missing\ndist/manifest.json: missing\n",
      err: "dist does not match these flags\n",
    })
    expect(readdirSync(folder)).not.toContain("dist")
    await runBuild({ flags: "flags", out: "dist" }, testHost({ cwd: folder }))
    expect(await check(folder)).toEqual({ status: 0, out: "", err: "dist matches these flags\n" })
    writeFileSync(
      join(folder, "dist/b.json"),
      readFileSync(join(folder, "dist/b.json"), "utf8").replace("a", "b"),
    )
    repository.write("flags/project.yaml", "project: shop\nenvironments: [b]\n")
    expect(await check(folder)).toMatchObject({
      status: 1,
      out:
        "dist/b.json: differs from this build\ndist/manifest.json: differs from this build\n" +
        "dist/production.json: belongs to an environment that no longer exists\n",
    })
  })

  test("flags with mistakes are mistakes", async () => {
    const repository = manyFlags()
    repository.write("flags/a2.yaml", "defaultValue: 1\n")
    expect(await check(repository.folder)).toMatchObject({ status: 1, out: "" })
  })
})
