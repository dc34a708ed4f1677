// @module-tag system
import { spawnSync } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { expect, test } from "vitest"

const root = resolve(import.meta.dirname, "..")

/** What the check says of a copy of the files that it reads, after a change to them. */
function check(change: (edit: (file: string, from: RegExp | string, to: string) => void) => void) {
  const folder = mkdtempSync(join(tmpdir(), "flagstone-release-"))
  const files = [
    "package.json",
    "sdk/package.json",
    "sdk/python/pyproject.toml",
    "sdk/java/pom.xml",
    "sdk/go/go.mod",
    "CHANGELOG.md",
  ]
  for (const file of files) cpSync(join(root, file), join(folder, file))
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  const edit = (file: string, from: RegExp | string, to: string) =>
    writeFileSync(join(folder, file), readFileSync(join(folder, file), "utf8").replace(from, to))
  edit("package.json", "{", '{ "repository": { "url": "git+https://github.com/shop/flagstone.git" },')
  edit("sdk/java/pom.xml", "example.flagstone", "io.github.shop")
  edit("sdk/go/go.mod", /^module .*/, "module github.com/shop/flagstone/sdk/go")
  edit("CHANGELOG.md", /^## .*$/m, `## ${version}`)
  change(edit)
  const env = {
    GITHUB_REF_NAME: `v${version}`,
    GITHUB_SERVER_URL: "https://github.com",
    GITHUB_REPOSITORY: "shop/flagstone",
  }
  const { status, stdout } = spawnSync(process.execPath, [join(root, ".github/check-release.js")], {
    cwd: folder,
    env,
    encoding: "utf8",
  })
  rmSync(folder, { recursive: true })
  return { status, stdout }
}

test("a release whose versions and addresses agree may begin", () => {
  expect(check(() => {})).toEqual({ status: 0, stdout: "" })
})

test.each([
  ["package.json", /"version": "[^"]*"/, '"version": "9.9.9"', "the version in package.json is v9.9.9"],
  [
    "sdk/package.json",
    /"version": "[^"]*"/,
    '"version": "9.9.9"',
    "the version in sdk/package.json is v9.9.9",
  ],
  ["sdk/python/pyproject.toml", /^version = .*/m, 'version = "9.9.9"', "sdk/python/pyproject.toml is v9.9.9"],
  ["sdk/python/pyproject.toml", /==.*?"/, '==9.9.9"', "the extra cli in sdk/python/pyproject.toml is v9.9.9"],
  ["sdk/java/pom.xml", /<version>.*</, "<version>9.9.9<", "the version in sdk/java/pom.xml is v9.9.9"],
  [
    "sdk/java/pom.xml",
    "io.github",
    "example",
    "the group in sdk/java/pom.xml is example.shop, not io.github.shop",
  ],
  ["CHANGELOG.md", /^## .*$/m, "## 9.9.9", "the newest section of CHANGELOG.md is v9.9.9"],
  ["package.json", /"repository": \{[^}]*\},/, "", "repository.url in package.json is missing"],
  ["sdk/go/go.mod", "/flagstone/", "/other/", "the module in sdk/go/go.mod is github.com/shop/other/sdk/go"],
])("a release stops if %s disagrees", (file, from, to, message) => {
  const { status, stdout } = check((edit) => edit(file, from, to))
  expect(status).toBe(1)
  expect(stdout).toContain(message)
})
