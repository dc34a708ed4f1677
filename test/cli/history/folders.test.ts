// @module-tag system
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { createRepository } from "../../repository.ts"
import { build, plain, project, start, times, timesOf } from "./built-times.ts"

/** Moves a flags folder from place to place, and checks that its flag keeps its times. */
async function areKept(places: readonly string[]): Promise<void> {
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
}

describe("where the flags folder is, and was", () => {
  test("below the top of the repository, with other projects beside it", async () => {
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

  test("moved as a whole, and back", () => areKept(["flags", "config/flags", "flags"]))

  test.each([
    [["flags", "config/flags"]],
    [["old/place", "flags/new", "elsewhere", "flags/new"]],
    [["", "flags"]],
    [["flags", ""]],
    [["flags", "flags/inner"]],
    [["flags/inner", "flags"]],
  ])("moved as a whole: %j", { tags: ["slow"] }, areKept)

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

  test("of two projects that end, the new one is that of which most files came along", async () => {
    const repository = createRepository()
    for (const file of ["project.yaml", "x.yaml", "y.yaml"]) {
      repository.write(`first/${file}`, file === "project.yaml" ? project : `# ${file}\n${plain}`)
      repository.write(`second/${file}`, file === "project.yaml" ? project : `name: ${file}\n${plain}`)
    }
    repository.write("second/a.yaml", plain)
    repository.commit(10)
    for (const file of ["project.yaml", "x.yaml", "y.yaml", "a.yaml"])
      repository.move(`second/${file}`, `flags/${file}`)
    repository.remove("first")
    repository.commit(20)
    expect(await timesOf(repository.folder, "a")).toEqual(times(10, 10, undefined, undefined))
  })

  test("a project file that was lost for a while", async () => {
    const repository = start()
    repository.remove("flags/project.yaml")
    repository.commit(20)
    repository.write("flags/project.yaml", project)
    repository.commit(30)
    expect(await timesOf(repository.folder)).toEqual(times(10, 10, undefined, undefined))
  })

  test("a linked work tree, a submodule, and SHA-256", { tags: ["slow"] }, async () => {
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
