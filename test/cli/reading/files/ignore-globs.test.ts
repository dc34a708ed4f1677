// @module-tag system
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { runBuild } from "../../../../cli/commands/build.ts"
import { runDiff } from "../../../../cli/commands/diff.ts"
import { runLint } from "../../../../cli/commands/lint.ts"
import { createIgnores } from "../../../../cli/reading/files/ignore-globs.ts"
import { createRepository } from "../../../repository.ts"
import { testHost } from "../../../test-host.ts"

test.each([
  ["docs/**", "docs/a/b.yaml", true],
  ["docs/**", "docs.yaml", false],
  ["*.csv", "people.csv", true],
  ["*.csv", "lists/people.csv", false],
  ["**/*.csv", "lists/people.csv", true],
  ["**/fixtures/**", "a/fixtures/.hidden.yaml", true],
  ["docs/*", "docs/a/b.yaml", false],
  ["**", "a/b.yaml", true],
  ["a/**/b.csv", "a/b.csv", true],
  ["a/**/b.csv", "a/x/y/b.csv", true],
  ["a/**/b.csv", "a/xb.csv", false],
  ["?.csv", "a.csv", true],
  ["?.csv", "/.csv", false],
  ["*.{csv,tsv}", "people.tsv", true],
  ["*.{csv,*sv}", "people.psv", true],
  ["{", "{", true],
  ["{a", "a", false],
  ["a.csv", "a-csv", false],
  ["a|b", "a", false],
  ["(a+)+$", "(a+)+$", true],
  ["[", "a.yaml", false],
  ["[a-z].csv", "[a-z].csv", true],
  ["!a.csv", "b.csv", false],
  ["a\n*", "a\n.csv", true],
  ["*.csv", "a\n.csv", true],
])("%s and %s: %s", (glob, path, isIgnored) => {
  expect(createIgnores([glob])(path)).toBe(isIgnored)
})

test("many stars take no longer than one", () => {
  expect(createIgnores(["*a".repeat(100), `${"**/*".repeat(50)}b`])("a".repeat(250))).toBe(true)
  expect(createIgnores([`${"*a".repeat(100)}b`, `${"**/*".repeat(50)}b`])("a".repeat(250))).toBe(false)
})

test("a file that the project file ignores is not a flag, today or in its history, and its changes do not count", async () => {
  const repository = createRepository()
  const cwd = repository.folder
  repository.write("flags/project.yaml", "project: shop\nenvironments: [production]\nignore: [fixtures/**]\n")
  repository.write("flags/pay.yaml", "defaultValue: false\n")
  // The flag `pay` again, and a file that is not a flag.
  repository.write("flags/fixtures/pay.yaml", "defaultValue: true\n")
  repository.write("flags/fixtures/people.csv", "a,b\n")
  repository.commit(0)
  repository.write("flags/fixtures/pay.yaml", "defaultValue: [1]\n")
  repository.commit(100)

  const lint = testHost({ cwd })
  expect(await runLint({ flags: "flags", format: "text" }, lint)).toBe(0)
  expect(lint.err()).toBe("1 flag checked: no mistakes\n")

  const build = testHost({ cwd })
  expect(await runBuild({ flags: "flags", out: "dist", requireClean: true }, build)).toBe(0)
  const { flags } = JSON.parse(readFileSync(join(cwd, "dist/production.json"), "utf8"))
  expect(flags).toHaveLength(1)
  expect(flags[0].flag).toMatchObject({ defaultValue: false, updatedAt: flags[0].flag.createdAt })

  repository.write("flags/fixtures/pay.yaml", "defaultValue: 3\n")
  const diff = testHost({ cwd })
  expect(await runDiff("HEAD~1", undefined, { flags: "flags", format: "text" }, diff)).toBe(0)
  expect(diff.out()).toContain("No change in behaviour")
})
