// @module-tag system
// @module-tag slow
import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { expect, test } from "vitest"
import { cloneSource } from "./clone.ts"

const root = resolve(import.meta.dirname, "..")

test("the package, installed into an empty folder, gives a flagstone that works", () => {
  const cwd = mkdtempSync(join(tmpdir(), "flagstone-package-"))
  const npm = (folder: string, ...args: readonly string[]) =>
    execFileSync("npm", args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
  const source = join(mkdtempSync(join(tmpdir(), "flagstone-source-")), "a clone")
  const revision = cloneSource(source)
  const pack = (destination: string) => {
    mkdirSync(destination, { recursive: true })
    return JSON.parse(npm(source, "pack", "--json", "--pack-destination", destination))[0]
  }
  const packed = pack(cwd)
  expect(packed.size).toBeLessThan(1_200_000)
  expect(pack(join(cwd, "again")).integrity).toBe(packed.integrity)
  expect(readFileSync(join(source, "package.json"))).toEqual(readFileSync(join(root, "package.json")))
  expect(
    packed.files
      .map((file: { path: string }) => file.path)
      .filter((path: string) => /^test|(?<!\.d)\.ts$/.test(path)),
  ).toEqual([])
  writeFileSync(join(cwd, "package.json"), "{}")
  const install = ["install", "--prefer-offline", join(cwd, packed.filename)]
  expect(spawnSync("npm", install, { cwd, encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" })
  const bin = join(cwd, "node_modules", packed.name, "build/bin")
  const textOf = (name: string) =>
    readFileSync(join(bin, readdirSync(bin).find((file) => file.startsWith(`${name}-`)) ?? ""), "utf8")
  expect(textOf("proxy")).not.toMatch(/"(\.\/(compile|lint)-|prom-client)/) // a proxy loads no compiler and no metrics
  const imported = readFileSync(join(bin, "main.js"), "utf8").match(/(?<=^import .*"\.\/)[a-z-]+(?=-)/gm)
  expect(imported).toEqual(["start"]) // by every command
  // Loading one of these takes milliseconds, and so does importing everything from node:fs.
  expect(textOf("start")).not.toMatch(
    /^const .* = process\.getBuiltinModule\("node:(child_process|util)"\);$/m,
  )
  const chunks = readdirSync(bin).filter((file) => file.endsWith(".js"))
  expect(chunks.filter((file) => /^import .*"node:/m.test(readFileSync(join(bin, file), "utf8")))).toEqual([])

  const flagstone = (...args: readonly string[]) =>
    execFileSync(join(cwd, "node_modules/.bin/flagstone"), args, {
      cwd,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    })
  expect(flagstone("--version")).toBe(`${packed.version}+${revision.slice(0, 12)}\n`)
  execFileSync("git", ["init", "-q"], { cwd })
  expect(flagstone("init", "--ci", "github")).toContain("\nNext: npx flagstone dev\n")
  expect(flagstone("build")).toContain("dist/production.json: 1 flag")
  expect(readdirSync(join(cwd, "dist")).sort()).toEqual([
    "development.json",
    "manifest.json",
    "production.json",
    "staging.json",
  ])
  expect(flagstone("keys", "create", "production")).toMatch(/^fsk_/)
  const nobody = ["serve", "--check", "--rate-limit-store", "redis://127.0.0.1:1"]
  expect(() => flagstone(...nobody)).toThrow("redis://127.0.0.1:1: connect ECONNREFUSED")

  writeFileSync(join(cwd, "consumer.mts"), consumer)
  execFileSync(join(root, "node_modules/.bin/tsc"), [...compilerOptions, "", "consumer.mts"], {
    cwd,
    stdio: ["ignore", "inherit", "inherit"], // tsc prints its errors on stdout
  })
  const answer = execFileSync(process.execPath, ["consumer.mjs"], { cwd, encoding: "utf8" })
  const { checkout, vectors } = JSON.parse(answer)
  expect(checkout).toBe(true)
  expect(readFileSync(new URL(vectors), "utf8")).toContain('"cannotBeKnown":true')

  // The provider needs OpenFeature's SDK, which Flagstone does not install.
  expect(readdirSync(join(cwd, "node_modules"))).not.toContain("@openfeature")
  npm(
    cwd,
    "install",
    "--prefer-offline",
    "@openfeature/server-sdk@1",
    "@openfeature/core@1",
    "@types/node@24",
  )
  writeFileSync(join(cwd, "application.mts"), application)
  execFileSync(join(root, "node_modules/.bin/tsc"), [...compilerOptions, "node", "application.mts"], {
    cwd,
    stdio: ["ignore", "inherit", "inherit"],
  })
  expect(execFileSync(process.execPath, ["application.mjs"], { cwd, encoding: "utf8" })).toBe("true\n")
}, 120_000)

/** Strict, and without `skipLibCheck`, so that the published types must be complete. */
const compilerOptions = ["--strict", "--target", "es2024", "--module", "nodenext", "--types"]

/** A program of a user who has only the package. */
const consumer = `
import { createEvaluator, type Context, type Evaluation } from "flagstone/evaluation"
import { parseSnapshot, type FlagEntry } from "flagstone/contract"

const time = "2026-01-01T00:00:00.000Z"
const entry: FlagEntry = {
  flag: { id: "f", projectId: "p", key: "checkout", name: "", description: "", type: "boolean", defaultValue: false, createdAt: time, updatedAt: time },
  environment: {
    id: "c", flagId: "f", environmentId: "e", enabled: true, updatedAt: time,
    rules: [{ id: "r", attribute: "email", operator: "matches", value: "@example[.]com$", returnValue: true }],
  },
}
const parsed = parseSnapshot(JSON.stringify({ flags: [entry] }))
if (parsed.kind === "invalid") throw new Error(parsed.reason)
const context: Context = { email: "a@example.com" }
const evaluator = await createEvaluator(parsed.value)
const evaluation: Evaluation = evaluator.evaluate("checkout", context)
const vectors = import.meta.resolve("flagstone/evaluation/vectors/flagstone.jsonl")
console.log(JSON.stringify({ checkout: evaluation.kind === "evaluated" && evaluation.value, vectors }))
`

/** An application that reads what `flagstone build` wrote. */
const application = `
import { OpenFeature } from "@openfeature/server-sdk"
import { FlagstoneProvider } from "flagstone/openfeature"

await OpenFeature.setProviderAndWait(new FlagstoneProvider({ file: "dist/development.json" }))
const client = OpenFeature.getClient()
console.log((await client.getBooleanDetails("new-welcome", false)).errorCode === undefined)
`
