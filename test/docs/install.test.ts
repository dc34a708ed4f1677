// @module-tag system
// @module-tag slow
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { cloneSource } from "../clone.ts"
import { readPage } from "./pages.ts"

test("the README's steps for another repository give a flagstone that works there", () => {
  const folder = mkdtempSync(join(tmpdir(), "flagstone-package-"))
  const cwd = join(folder, "mine")
  mkdirSync(cwd)
  writeFileSync(join(cwd, "package.json"), "{}")
  const revision = cloneSource(join(folder, "flagstone"))
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
  expect(flagstone("--version")).toBe(`0.1.0+${revision.slice(0, 12)}\n`)
  expect(flagstone("build")).toContain("dist/production.json: 1 flag")
  expect(readdirSync(join(cwd, "node_modules/flagstone/docs"))).toContain("recipes.md")
}, 120_000)

/** The lines of the README's block, except `npm ci`, which takes a minute, and `dev`, which does not end. */
function installCommands(): readonly string[] {
  const [, block = ""] =
    /## In your own repository\n[\s\S]*?```sh\n([\s\S]*?)```/.exec(readPage("README.md").text) ?? []
  const lines = block.trimEnd().split("\n")
  expect(lines.map((line) => line.replace(/ +#.*/, "")).at(-1)).toBe("npx flagstone dev")
  return lines.slice(0, -1).map((line) => line.replace("npm ci && ", ""))
}
