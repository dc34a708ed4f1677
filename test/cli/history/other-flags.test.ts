// @module-tag system
import { expect, test } from "vitest"
import { createRepository } from "../../repository.ts"
import { build, configured, project, times, timesOf } from "./built-times.ts"

const rule = (condition: string) =>
  configured(`{ enabled: true, rules: [{ ${condition}, returnValue: true }] }`)
const email = (end: string) => rule(`attribute: email, operator: endsWith, value: "${end}"`)

test("a commit that changes a flag changes the configurations that depend on it, directly or through others", async () => {
  const { folder, write, commit } = createRepository()
  write("flags/project.yaml", project)
  write("flags/a.yaml", email("@a"))
  write("flags/b.yaml", rule("flag: a"))
  write("flags/c.yaml", rule("flag: b, is: false"))
  write("flags/d.yaml", email("@d"))
  commit(10)
  write("flags/a.yaml", email("@b"))
  commit(20)
  write("flags/d.yaml", `# only a comment\n${email("@d")}`)
  commit(30)
  expect(await Promise.all(["a", "b", "c", "d"].map((key) => timesOf(folder, key)))).toEqual([
    times(10, 10, 10, 20),
    times(10, 10, 10, 20),
    times(10, 10, 10, 20),
    times(10, 10, 10, 10),
  ])
  const { read } = await build(folder)
  expect(JSON.stringify(read("production.json")).match(/@b/g)).toHaveLength(3)
})

test("a flag's name changes nothing of those that depend on it, and its default does", async () => {
  const { folder, write, commit } = createRepository()
  write("flags/project.yaml", project)
  write("flags/a.yaml", email("@a"))
  write("flags/b.yaml", rule("flag: a"))
  commit(10)
  write("flags/a.yaml", `name: Another\ndescription: Of another.\n${email("@a")}`)
  commit(20)
  expect(await timesOf(folder, "a")).toEqual(times(10, 20, 10, 10))
  expect(await timesOf(folder, "b")).toEqual(times(10, 10, 10, 10))
  write("flags/a.yaml", email("@a").replace("defaultValue: false", "defaultValue: true"))
  commit(30)
  expect(await timesOf(folder, "b")).toEqual(times(10, 10, 10, 30))
})

test("a commit that removes the other flag's configuration changes those that depend on it", async () => {
  const { folder, write, commit } = createRepository()
  const development = "  development: { enabled: true, rules: [{ operator: always, returnValue: true }] }\n"
  const alone = `defaultValue: false\nenvironments:\n${development}`
  write("flags/project.yaml", project)
  write("flags/a.yaml", `${alone}  production: { enabled: true }\n`)
  write("flags/b.yaml", rule("flag: a"))
  commit(10)
  write("flags/a.yaml", alone)
  commit(20)
  expect(await timesOf(folder, "b")).toEqual(times(10, 10, 10, 20))
  write("flags/a.yaml", `# only a comment\n${alone}`)
  commit(30)
  expect(await timesOf(folder, "b")).toEqual(times(10, 10, 10, 20))
  expect(await timesOf(folder, "a")).toEqual(times(10, 10, 10, undefined))
})
