// @module-tag system
import { expect, test } from "vitest"
import { inNewFolders, isDiff, off, start } from "./diff-session.ts"

// --code
const { commit, diff, git, write } = inNewFolders()

const calls = 'const OLD = "old"\nif (flag(OLD)) flag("a")\nflag(`was`)\n'

/** A project whose flag `old` is removed and whose flag `was` is renamed; `a` stays. */
function project(code = calls) {
  git("init", "-q", "-b", "main")
  const named = (name: string) => `name: ${name}\ndescription: The same under another key.\n${off}`
  commit({
    ...start,
    "flags/a.yaml": off,
    "flags/old.yaml": off,
    "flags/was.yaml": named("W"),
    "src/x.ts": code,
  })
  write({ "flags/old.yaml": null, "flags/was.yaml": null, "flags/is.yaml": named("W") })
}

test("shows where code still refers to removed flags", async () => {
  project()
  const { status, out } = await diff("--code", "src")
  expect(status).toBe(0)
  expect(out.slice(out.indexOf("in the code"))).toBe(
    [
      "in the code (1 file searched)",
      "  was: 1 reference left",
      "    `src/x.ts:3:7`: key",
      "  old: 2 references left",
      "    `src/x.ts:1:14`: key",
      "    `src/x.ts:2:10`: constant `OLD (src/x.ts:1)`\n",
    ].join("\n"),
  )
  const json = JSON.parse((await diff("--code", "src", "--format", "json")).out)
  expect(isDiff(json) ? [] : isDiff.errors).toEqual([])
  expect(json.code.flags[0]).toEqual({
    flag: "was",
    references: [{ path: "src/x.ts", line: 3, column: 7, kind: "key" }],
  })
})

test.each([
  [20, "20:7`: key\n"],
  [21, "20:7`: key\n    and 1 more\n"],
])("of %i references it shows at most 20, and says how many more", async (count, end) => {
  project("flag(`old`)\n".repeat(count))
  const { out } = await diff("--code", "src")
  expect(out.slice(out.indexOf("  old: "))).toMatch(`  old: ${count} references left\n`)
  expect(out.split("`src/x.ts:").at(-1)).toBe(end)
})

test("a comment has them as code, so that no path is Markdown", async () => {
  project("")
  write({ "src/`[a](http:x)`.ts": "flag('old')" })
  const { out } = await diff("--code", "src", "--format", "markdown")
  expect(out).toContain("### In the code (2 files searched)\n\n")
  expect(out).toContain("- **`was`**: no references left\n")
  expect(out).toContain("- **`old`**: 1 reference left\n  - ``src/`[a](http:x)`.ts:1:7``: key\n")
})

test("nothing is searched without it, and nothing is printed if no flag is removed", async () => {
  project()
  expect((await diff()).out).not.toContain("in the code")
  git("commit", "-qam", "x")
  expect((await diff("--code", "no-such-folder")).out).not.toContain("in the code")
})
