// @module-tag system
import { beforeEach, expect, test } from "vitest"
import { shop } from "../diff/sides.ts"
import { inNewFolders, isDiff, off, on, start } from "./diff-session.ts"

// --tolerate-broken-base
const { commit, diff, write, git } = inNewFolders()
beforeEach(() => void git("init", "-q", "-b", "main"))

const broken = "defaultValue: maybe\n"

test("compares what has no error before the change, and names the rest in every format", async () => {
  commit({ ...start, "flags/a.yaml": broken, "flags/b.yaml": off, "flags/sub/c.yaml": `nmae: c\n${off}` })
  write({ "flags/a.yaml": on, "flags/b.yaml": on, "flags/sub/c.yaml": null, "flags/c.yaml": off })
  expect((await diff()).status).toBe(2)
  const text = await diff("--tolerate-broken-base")
  expect(text.status).toBe(0)
  expect(text.err).toContain("flags/a.yaml:1:15 error wrong-value-type")
  expect(text.err).toMatch(/^HEAD: 2 errors, so 2 flags are not compared$/m)
  expect(text.out).toMatch(
    /^`production`: 1 flag changes what users get; 2 warnings; 2 flags are not compared$/m,
  )
  expect(text.out).toMatch(/\nnot compared\n {2}a: it had errors before the change\n {2}c: /)
  expect(text.out).not.toMatch(/flag (added|removed)/)
  const json = JSON.parse((await diff("--tolerate-broken-base", "--format", "json")).out)
  expect(json.notCompared).toEqual({ project: false, flags: ["a", "c"] })
  expect(json.changes.map(({ flag }: { flag: string }) => flag)).toEqual(["b"])
  expect(isDiff(json) ? [] : isDiff.errors).toEqual([])
  const markdown = (await diff("--tolerate-broken-base", "--format", "markdown")).out
  expect(markdown).toContain("### Not compared\n")
  expect(markdown).toContain("- **`c`**: ")
})

test("two files with one key are both left out, under the names that they get", async () => {
  commit({ ...start, "flags/sub/a.yaml": off, "flags/b.yaml": off })
  write({ "flags/sub/a.yaml": null, "flags/sub/other.yaml": on, "flags/b.yaml": on })
  const { status, out } = await diff("--tolerate-broken-base", "--format", "json")
  expect(status).toBe(0)
  expect(JSON.parse(out).changes.map(({ flag }: { flag: string }) => flag)).not.toContain("a")
  expect(JSON.parse(out).notCompared.flags).toContain("a")
})

test("without a readable project file, nothing is compared and nothing is called the same", async () => {
  commit({ "flags/project.yaml": "project: shop\nenvironments: production\n", "flags/a.yaml": off })
  write({ "flags/project.yaml": shop, "flags/a.yaml": on, "flags/0.yaml": `key: z\n${off}` })
  const { status, out, err } = await diff("--tolerate-broken-base")
  expect(status).toBe(0)
  expect(err).toMatch(/^HEAD: 1 error, so nothing is compared$/m)
  expect(out).toMatch(/^Nothing is compared: the project file has an error before the change$/m)
  expect(out).not.toContain("Nothing changes")
  const json = JSON.parse((await diff("--tolerate-broken-base", "--format", "json")).out)
  expect(json).toMatchObject({ changes: [], notCompared: { project: true, flags: ["a", "z"] } })
})

test("changes nothing if the base is sound or has no flags yet, and excuses no error after the change", async () => {
  commit({ "README.md": "" })
  write(start)
  expect((await diff("--tolerate-broken-base")).out).toContain("project file, name: (none) → `shop`")
  expect(await diff("--tolerate-broken-base")).toEqual(await diff())
  commit(start)
  write({ "flags/a.yaml": on })
  expect(await diff("--tolerate-broken-base")).toEqual(await diff())
  write({ "flags/a.yaml": broken })
  expect(await diff("--tolerate-broken-base")).toMatchObject({ status: 2, out: "" })
})

test("what is not compared counts as a change for --exit-code", async () => {
  commit({ ...start, "flags/a.yaml": broken })
  write({ "flags/a.yaml": off })
  const { status, out, err } = await diff("--tolerate-broken-base", "--exit-code")
  expect(status).toBe(1)
  expect(err).toMatch(/^HEAD: 1 error, so 1 flag is not compared$/m)
  expect(out).toMatch(/^No other change in behaviour; 1 flag is not compared$/m)
})

test("a mistake in the invariants stops only their check, and is printed once", async () => {
  const never = (key: string) => `- name: Not together\n  never: { all: [{ flag: ${key} }, { flag: b }] }\n`
  commit({ ...start, "flags/a.yaml": off, "flags/b.yaml": off, "flags/invariants.yaml": never("a") })
  write({ "flags/a.yaml": null, "flags/c.yaml": off })
  const renamed = await diff()
  expect(renamed.status).toBe(1)
  expect(renamed.out).toContain("a: flag removed")
  expect(renamed.err).toMatch(/^flags\/invariants.yaml:2:26 error unknown-flag$/m)
  expect(renamed.err).toMatch(/^the work tree: 1 error, so its invariants are not checked$/m)
  expect(await diff("--fast-lane")).toMatchObject({ status: 2, out: "" })
  write({ "flags/invariants.yaml": never("c") })
  expect(await diff()).toMatchObject({ status: 0, err: "" })

  commit({ "flags/invariants.yaml": never("a") })
  write({ "flags/b.yaml": on })
  const kept = await diff()
  expect(kept.status).toBe(1)
  expect(kept.err.match(/unknown-flag/g)).toHaveLength(1)
  write({ "flags/invariants.yaml": never("c") })
  const repaired = await diff()
  expect(repaired.status).toBe(0)
  expect(repaired.err).toMatch(/^HEAD: 1 error, so its invariants are not checked$/m)
  expect(repaired.out).not.toContain("invariant")
})
