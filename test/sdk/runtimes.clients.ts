import { execFileSync } from "node:child_process"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { build } from "rolldown"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { blocksOf, readPage } from "../docs/pages.ts"
import { entryOf, ownVectors, vendorVectors } from "./evaluation/vectors.ts"
import { type Installed, installPacked } from "./packed.ts"

/** Prints what both entries of the package say: the provider from plain values, the evaluation by an expression and a share. */
const program = `
import { OpenFeature } from "@openfeature/server-sdk"
import { createEvaluator } from "flagstone-sdk/evaluation"
import { FlagstoneProvider } from "flagstone-sdk/openfeature"

export async function answers() {
  const texts = { id: "c", flagId: "f", environmentId: "e", updatedAt: "" }
  const flag = { ...texts, projectId: "p", key: "checkout", name: "", description: "", type: "boolean", createdAt: "", defaultValue: false }
  const rules = [
    { id: "1", attribute: "email", operator: "matches", value: "@example[.]com$", returnValue: true },
    { id: "2", attribute: "id", operator: "percentage", value: "100", returnValue: true },
  ]
  const { evaluate } = await createEvaluator({ flags: [{ flag, environment: { ...texts, enabled: true, rules } }] })
  const causes = [{ email: "a@example.com" }, { id: "ann" }].map((context) => evaluate("checkout", context).cause)
  await OpenFeature.setProviderAndWait(new FlagstoneProvider({ document: { flags: { "dark-mode": true } } }))
  return [...causes, await OpenFeature.getClient().getBooleanValue("dark-mode", false)].join()
}
`
const expected = "rule,share,true"

let application: Installed
beforeAll(() => {
  application = installPacked(
    "@openfeature/server-sdk@1",
    "@openfeature/core@1",
    "bun@1.4.5",
    "deno@2.9.6",
    "miniflare@4.20260426.0",
    "jest@30",
  )
  writeFileSync(join(application.folder, "answers.js"), program)
})
afterAll(() => rmSync(application.folder, { recursive: true }))

function run(command: string, ...args: readonly string[]): string {
  return execFileSync(command, args, { cwd: application.folder, encoding: "utf8" })
}

const runtimes = [
  { runtime: "Deno", command: ["deno", "run", "--allow-all"] },
  { runtime: "Bun", command: ["bun", "run"] },
] as const

describe.each(runtimes)("in $runtime", ({ command: [program, ...args] }) => {
  const runIn = (file: string) => run(`node_modules/.bin/${program}`, ...args, file)

  test("the package works", () => {
    writeFileSync(
      join(application.folder, "print.js"),
      'import { answers } from "./answers.js"\nconsole.log(await answers())\n',
    )
    expect(runIn("print.js")).toBe(`${expected}\n`)
  })

  test("all vectors are answered as expected", () => {
    const vectors = [...ownVectors, ...[...vendorVectors.values()].flat()]
    const cases = vectors.map((vector) => ({ document: { flags: [entryOf(vector)] }, ...vector }))
    writeFileSync(join(application.folder, "vectors.json"), JSON.stringify(cases))
    writeFileSync(join(application.folder, "vectors.js"), evaluateVectors)
    const evaluations: readonly { readonly kind: string; readonly value?: unknown }[] = JSON.parse(
      runIn("vectors.js"),
    )
    const wrong = vectors.filter(({ expected, cannotBeKnown }, at) => {
      const { kind, value } = evaluations[at] ?? {}
      return cannotBeKnown ? kind !== "unknownOperator" : !isDeepStrictEqual(value, expected)
    })
    expect(wrong.map((vector) => vector.case)).toEqual([])
  })
})

test("Jest runs the CommonJS test of docs/testing.md", () => {
  const file = "jest.test.cjs"
  const block = blocksOf(readPage("docs/testing.md").text).find(({ info }) => info === file)
  writeFileSync(join(application.folder, file), block?.text ?? "")
  const args = ["--experimental-vm-modules", "node_modules/jest/bin/jest.js", file]
  execFileSync(process.execPath, args, { cwd: application.folder, stdio: "pipe" })
})

const evaluateVectors = `
import { readFileSync } from "node:fs"
import { createEvaluator } from "flagstone-sdk/evaluation"

const evaluations = []
for (const { document, flag, context } of JSON.parse(readFileSync("vectors.json", "utf8")))
  evaluations.push((await createEvaluator(document)).evaluate(flag.key, context))
console.log(JSON.stringify(evaluations))
`

test("the package works in a Worker with nodejs_compat", async () => {
  const worker =
    'import { answers } from "./answers.js"\nexport default { fetch: async () => new Response(await answers()) }\n'
  writeFileSync(join(application.folder, "worker.js"), worker)
  const bundled = join(application.folder, "bundled")
  await build({
    input: join(application.folder, "worker.js"),
    platform: "neutral",
    external: [/^node:/, "async_hooks", "events"],
    output: { dir: bundled },
  })
  writeFileSync(join(application.folder, "ask.js"), ask)
  expect(run(process.execPath, "ask.js")).toBe(`${expected}\n`)
})

const ask = `
import { readdirSync } from "node:fs"
import { Miniflare } from "miniflare"

const names = readdirSync("bundled").sort((name) => (name === "worker.js" ? -1 : 1))
const modules = names.map((name) => ({ type: "ESModule", path: "bundled/" + name }))
const worker = new Miniflare({ modules, modulesRoot: "bundled", compatibilityDate: "2026-01-01", compatibilityFlags: ["nodejs_compat"] })
const answer = await worker.dispatchFetch("http://127.0.0.1/")
console.log(await answer.text())
await worker.dispose()
`
