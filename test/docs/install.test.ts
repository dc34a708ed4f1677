// @module-tag system
// @module-tag slow
import { execFileSync } from "node:child_process"
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { readPage, root } from "./pages.ts"

test("the README's steps for another repository give a flagstone that works there", () => {
  const folder = mkdtempSync(join(tmpdir(), "flagstone-package-"))
  const cwd = join(folder, "mine")
  mkdirSync(cwd)
  writeFileSync(join(cwd, "package.json"), "{}")
  copySource(join(folder, "flagstone"))
  for (const command of installCommands()) {
    execFileSync("bash", ["-ec", command], {
      cwd,
      stdio: ["ignore", "ignore", "ignore"],
      env: { ...process.env, npm_config_prefer_offline: "true" },
    })
  }

  const flagstone = (...args: readonly string[]) =>
    execFileSync(join(cwd, "node_modules/.bin/flagstone"), args, {
      cwd,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    })
  const installed = join(cwd, "node_modules/flagstone")
  expect(flagstone("--version")).toBe(
    `${JSON.parse(readFileSync(join(installed, "package.json"), "utf8")).version}\n`,
  )
  expect(flagstone("build")).toContain("dist/production.json: 1 flag")
  expect(readdirSync(join(installed, "docs"))).toContain("recipes.md")
}, 120_000)

/** What a clone of this repository has after `npm ci`. */
function copySource(folder: string): void {
  for (const entry of [
    "package.json",
    "tsconfig.json",
    "README.md",
    "LICENSE",
    "cli",
    "proxy",
    "sdk",
    "docs",
  ])
    cpSync(join(root, entry), join(folder, entry), { recursive: true })
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
}

/** The lines of the README's block, except `npm ci`, which takes a minute, and `dev`, which does not end. */
function installCommands(): readonly string[] {
  const [, block = ""] =
    /## In your own repository\n[\s\S]*?```sh\n([\s\S]*?)```/.exec(readPage("README.md").text) ?? []
  const lines = block.trimEnd().split("\n")
  expect(lines.map((line) => line.replace(/ +#.*/, "")).at(-1)).toBe("npx flagstone dev")
  return lines.slice(0, -1).map((line) => line.replace("npm ci && ", ""))
}
