// @module-tag system
// @module-tag slow
import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, expect, test } from "vitest"
import { cloneProject, environment } from "./example-project.ts"
import { blocksOf, readPage, root } from "./pages.ts"

// The TypeScript of three pages, beside the types that `codegen types` makes of the example project.
const files = ["docs/testing.md", "docs/experiments.md", "docs/migrating.md"].flatMap((path) =>
  blocksOf(readPage(path).text).filter(({ language }) => language === "ts"),
)

/** Use the pages' functions as a reader would. */
const uses = {
  "both.test.ts": `import assert from "node:assert/strict"
import { test } from "node:test"
import { InMemoryProvider, OpenFeature } from "@openfeature/server-sdk"
import { FlagstoneProvider } from "flagstone-sdk/openfeature"
import { both } from "./both.ts"

test("the old provider answers, and what Flagstone says is counted", async () => {
  const variants = { on: true, off: false }
  const flag = { variants, defaultVariant: "on", disabled: false }
  const old = new InMemoryProvider({ "dark-mode": flag, "express-pay": flag })
  const flagstone = new FlagstoneProvider({ document: { flags: { "dark-mode": true, "express-pay": false } } })
  const counted: string[] = []
  await OpenFeature.setProviderAndWait(both(old, flagstone, (...words) => counted.push(words.join(" "))))
  const client = OpenFeature.getClient()
  assert.equal(await client.getBooleanValue("dark-mode", false), true)
  assert.equal(await client.getBooleanValue("express-pay", false), true)
  await new Promise((done) => setTimeout(done, 50))
  assert.deepEqual(counted, ["dark-mode same", "express-pay differs"])
})
`,
}

const folder = join(cloneProject(), "app")

beforeAll(() => {
  const project = join(folder, "..")
  const flagstone = (...args: readonly string[]) =>
    execFileSync("node", [join(root, "cli/main.ts"), ...args], { cwd: project, env: environment() })
  const [flag] = blocksOf(readPage("docs/experiments.md").text).filter(({ language }) => language === "yaml")
  writeFileSync(join(project, flag?.info ?? ""), flag?.text ?? "")
  flagstone("build")
  mkdirSync(folder)
  writeFileSync(join(folder, "flags.d.ts"), flagstone("codegen", "types"))
  symlinkSync(join(project, "dist"), join(folder, "dist"))
  // What the package's entries are made of.
  const sourceOf = (entry: string) =>
    JSON.stringify(
      join(root, entry === "openfeature" ? "sdk/openfeature/provider.ts" : "sdk/evaluation/evaluator.ts"),
    )
  const texts = [...files.map(({ info, text }) => [info, text] as const), ...Object.entries(uses)]
  for (const [name, text] of texts)
    writeFileSync(
      join(folder, name),
      text.replace(/"flagstone-sdk\/(\w+)"/, (_, entry) => sourceOf(entry)),
    )
})

const names = [...files.map(({ info }) => info), ...Object.keys(uses)]

function tsc(...more: readonly string[]) {
  const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "esnext"]
  const all = [...options, "--allowImportingTsExtensions", "--types", "node", "flags.d.ts", ...names, ...more]
  return spawnSync(join(root, "node_modules/.bin/tsc"), all, { cwd: folder, encoding: "utf8" })
}

test("the pages' examples compile with the types that codegen writes", () => {
  expect(names).toContain("checkout.ts")
  expect(tsc()).toMatchObject({ stdout: "", status: 0 })
}, 120_000)

test.each(['{ "one-page-chekout": true }', '{ "search-ranking": "no such model" }'])(
  "%s does not compile, as docs/testing.md says",
  (wrong) => {
    const text = `import type { FlagValues } from "./flags.js"\nexport const flags: Partial<FlagValues> = ${wrong}\n`
    writeFileSync(join(folder, "wrong.ts"), text)
    expect(tsc("wrong.ts").stdout).toContain("wrong.ts(2,")
  },
  120_000,
)

test("and pass", () => {
  const tests = names.filter((name) => name.endsWith(".test.ts"))
  const { status, stdout } = spawnSync("node", ["--test", ...tests], {
    cwd: folder,
    env: environment(),
    encoding: "utf8",
  })
  expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringMatching(/pass 4$/m) })
}, 120_000)
