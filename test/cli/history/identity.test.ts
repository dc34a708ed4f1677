// @module-tag system
import { symlinkSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { configured, plain, start, times, timesOf } from "./built-times.ts"

describe("identity is the key", () => {
  test.each([
    ["a move to another folder", "flags/deep/er/a.yaml", plain],
    ["a different ending", "flags/a.yml", plain],
    ["a different name, with the key inside", "flags/other.yaml", `${plain}key: a\nname: a\n`],
    ["names that are not ASCII", 'flags/größe/日本 "x" .yaml', `${plain}key: a\nname: a\n`],
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

  test("a new key is a new flag, and the old key's flag has ended", async () => {
    const repository = start()
    repository.write("flags/a.yaml", `${plain}key: b\n`)
    repository.commit(20)
    expect(await timesOf(repository.folder, "b")).toEqual(times(20, 20, undefined, undefined))
    repository.write("flags/a.yaml", plain)
    repository.commit(30)
    expect(await timesOf(repository.folder)).toEqual(times(30, 30, undefined, undefined))
  })

  test("deleted and created again starts afresh", async () => {
    const repository = start(configured("{ enabled: true }"))
    repository.remove("flags/a.yaml")
    repository.commit(20)
    repository.write("flags/a.yaml", configured("{ enabled: true }"))
    repository.commit(30)
    expect(await timesOf(repository.folder)).toEqual(times(30, 30, 30, 30))
  })

  test("two files that swap their names swap their histories", async () => {
    const repository = start()
    repository.write("flags/b.yaml", `${plain}description: b\n`)
    repository.commit(20)
    repository.write("flags/a.yaml", `${plain}description: b\nkey: b\n`)
    repository.write("flags/b.yaml", `${plain}key: a\n`)
    repository.commit(30)
    expect(await timesOf(repository.folder)).toEqual(times(10, 10, undefined, undefined))
    expect(await timesOf(repository.folder, "b")).toEqual(times(20, 20, undefined, undefined))
  })

  test("a file that was copied first and removed later continues", async () => {
    const repository = start()
    repository.write("flags/z/a.yaml", plain)
    repository.commit(20)
    repository.remove("flags/a.yaml")
    repository.commit(30)
    expect(await timesOf(repository.folder)).toEqual(times(10, 10, undefined, undefined))
  })

  test("a link and a submodule in a file's place are not flags", async () => {
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
