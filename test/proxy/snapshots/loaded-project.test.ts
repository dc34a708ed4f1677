import { expect, test } from "vitest"
import { isSameProject, type LoadedProject } from "../../../proxy/snapshots/loaded-project.ts"
import { buildFiles, flagEntry, loadFiles, named, shop } from "../fixtures.ts"

test("what did not change is not prepared again", async () => {
  const first = await loadFiles(buildFiles({ production: shop, staging: [] }))
  const second = await loadFiles(buildFiles({ production: shop, staging: [flagEntry("new")] }), first)
  const snapshotOf = (project: LoadedProject, name: string) => project.environments.get(name)?.snapshot
  expect(snapshotOf(second, "production")).toBe(snapshotOf(first, "production"))
  expect(snapshotOf(second, "staging")).not.toBe(snapshotOf(first, "staging"))
})

test("a set of another project is refused", async () => {
  const first = await loadFiles(buildFiles({ production: shop }))
  await expect(loadFiles(named("toys", buildFiles({ production: [] })), first)).rejects.toThrow(
    "this is project toys, not shop: if that is intended, restart the proxy",
  )
})

test("is the same while the served bytes and commits are the same, whenever it was loaded", async () => {
  const files = buildFiles({ production: shop, staging: [] })
  const first = await loadFiles(files)
  expect(isSameProject(first, await loadFiles(files))).toBe(true)
  expect(isSameProject(first, await loadFiles(buildFiles({ production: shop })))).toBe(false)
  expect(isSameProject(first, await loadFiles(buildFiles({ production: [], staging: [] })))).toBe(false)
  files.set(
    "manifest.json",
    files.get("manifest.json")?.replace('"revision":null', '"revision":"c0ffee"') ?? "",
  )
  expect(isSameProject(first, await loadFiles(files))).toBe(false)
  const whole = await loadFiles(files)
  files.set("staging.json", "")
  expect(isSameProject(whole, await loadFiles(files, whole))).toBe(true)
  expect(isSameProject(whole, await loadFiles(files))).toBe(false)
})
