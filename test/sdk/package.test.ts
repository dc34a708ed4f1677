// @module-tag system
// @module-tag slow
import { execFileSync } from "node:child_process"
import { rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { blocksOf, readPage } from "../docs/pages.ts"
import { type Installed, installPacked } from "./packed.ts"

const root = resolve(import.meta.dirname, "../..")

/** The line of docs/web.md with which a Worker evaluates. */
const [evaluatingLine] = /^.* evaluate\(.*$/m.exec(readPage("docs/web.md").text) ?? []

let application: Installed
let folder = ""
beforeAll(() => {
  application = installPacked("@openfeature/server-sdk@1", "@openfeature/core@1", "@types/node@24")
  folder = application.folder
}, 120_000)
afterAll(() => rmSync(folder, { recursive: true }))

test("an application installs two packages beside OpenFeature's, and at most 150 KB of ours", () => {
  expect(application.packages.filter((name) => !/^@types\/|^undici-types$/.test(name))).toEqual([
    "@noble/hashes",
    "@openfeature/core",
    "@openfeature/server-sdk",
    "flagstone-sdk",
    "re2js",
  ])
  expect(application.size).toBeLessThan(150_000)
})

test("the tests of docs/testing.md pass that take plain values", () => {
  const blocks = blocksOf(readPage("docs/testing.md").text)
  const { text = "" } = blocks.find(({ info }) => info === "evaluator.test.ts") ?? {}
  writeFileSync(join(folder, "evaluator.test.ts"), text)
  execFileSync(process.execPath, ["--test", "evaluator.test.ts"], { cwd: folder, stdio: "pipe" })
})

test.each([
  ["nodenext", ["--module", "nodenext"]],
  ["node16", ["--module", "node16"]],
  ["bundler", ["--module", "esnext", "--moduleResolution", "bundler"]],
])("its types are complete for %s, and the evaluation's need neither Node nor a browser", (_, modules) => {
  const tsc = (types: string, name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    const options = ["--strict", "--noEmit", "--target", "es2024", "--lib", "es2024", ...modules]
    execFileSync(join(root, "node_modules/.bin/tsc"), [...options, "--types", types, name], {
      cwd: folder,
      stdio: ["ignore", "inherit", "inherit"], // tsc prints its errors on stdout
    })
  }
  tsc(
    "",
    "evaluates.ts",
    `import { createEvaluator, documentOfValues, type Evaluation, type SnapshotDocument } from "flagstone-sdk/evaluation"
const document: SnapshotDocument = documentOfValues({ flags: { checkout: true } })
const { evaluate } = await createEvaluator(document)
interface User { readonly plan: string }
export const evaluationFor = (user: User): Evaluation => evaluate("checkout", user)
export function serve(context: User) {
${evaluatingLine}
  return value
}
`,
  )
  tsc(
    "node",
    "provides.ts",
    `import { FlagstoneProvider, type FlagstoneProviderOptions } from "flagstone-sdk/openfeature"
const options: FlagstoneProviderOptions = { url: "https://flags.example", apiKey: "key" }
export const provider = new FlagstoneProvider(options)
`,
  )
})
