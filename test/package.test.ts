import { execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { expect, test } from "vitest"

const root = resolve(import.meta.dirname, "..")

test("the packed package, installed into an empty folder, gives a flagstone that works", () => {
  const cwd = mkdtempSync(join(tmpdir(), "flagstone-package-"))
  const npm = (folder: string, ...args: readonly string[]) =>
    execFileSync("npm", args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
  const [packed] = JSON.parse(npm(root, "pack", "--json", "--pack-destination", cwd))
  expect(
    packed.files
      .map((file: { path: string }) => file.path)
      .filter((path: string) => /^test|\.ts$/.test(path)),
  ).toEqual([])
  writeFileSync(join(cwd, "package.json"), "{}")
  npm(cwd, "install", "--prefer-offline", join(cwd, packed.filename))

  const flagstone = (...args: readonly string[]) =>
    execFileSync(join(cwd, "node_modules/.bin/flagstone"), args, {
      cwd,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    })
  expect(flagstone("--version")).toBe(`${packed.version}\n`)
  flagstone("init")
  expect(flagstone("build")).toContain("dist/production.json: 1 flag")
  expect(readdirSync(join(cwd, "dist")).sort()).toEqual([
    "development.json",
    "manifest.json",
    "production.json",
  ])
  expect(flagstone("keys", "create", "production")).toMatch(/^fsk_/)
}, 120_000)
