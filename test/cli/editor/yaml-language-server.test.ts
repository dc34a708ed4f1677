// @module-tag slow
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { runLint } from "../../../cli/commands/lint.ts"
import { runSchema } from "../../../cli/commands/schema.ts"
import { publicDocs } from "../../../cli/docs-address.ts"
import { editorSchema } from "../../../cli/editor/editor-schema.ts"
import { operators } from "../../../cli/language/operators.ts"
import { copyFlags } from "../../golden-page.ts"
import { testHost } from "../../test-host.ts"
import { documentationOf, type LanguageServer, startLanguageServer } from "./language-server.ts"

// The server that editors run, in a project that has the line and the schema.

const cwd = mkdtempSync(join(tmpdir(), "flagstone-lsp-"))
const schemaLine = "# yaml-language-server: $schema=./flag.schema.json\n"
let server: LanguageServer

beforeAll(async () => {
  mkdirSync(join(cwd, "flags"))
  writeFileSync(
    join(cwd, "flags", "project.yaml"),
    "project: shop\nenvironments: [development, staging, production]\noperators: [isNear]\n",
  )
  writeFileSync(join(cwd, "flags", "first.yaml"), `${schemaLine}defaultValue: false\n`)
  expect(await runLint({ flags: "flags" }, testHost({ cwd }))).toBe(0)
  server = await startLanguageServer(cwd)
})

afterAll(() => server.stop())

const open = (text: string, line = schemaLine) => server.open(`${line}${text}`)
const complete = (text: string) => server.complete(`${schemaLine}${text}`)
const hover = (text: string) => server.hover(`${schemaLine}${text}`)

async function completions(text: string): Promise<readonly string[]> {
  return (await complete(text)).map(({ label }) => label)
}

// The server reads a file only when its writer has paused for 200 ms, so many are opened at once.
describe.concurrent("completion offers", () => {
  test("the environments of the project", async () => {
    const labels = await completions("defaultValue: false\nenvironments:\n  |")
    expect(labels).toEqual(expect.arrayContaining(["development", "staging", "production"]))
  })
  test("the operators, the project's own among them", async () => {
    const labels = await completions(
      "defaultValue: false\nenvironments:\n  staging:\n    enabled: true\n    rules:\n      - operator: |",
    )
    expect(labels).toEqual(expect.arrayContaining(["equals", "always", "percentage", "isNear"]))
  })
  test("each operator with its own text", async () => {
    const items = await complete(
      "defaultValue: false\nenvironments:\n  staging:\n    enabled: true\n    rules:\n      - operator: |",
    )
    expect(documentationOf(items, "percentage")).toContain("share")
    expect(documentationOf(items, "matches")).toContain("regular expression")
    expect(documentationOf(items, "isNear")).toContain("this project")
    const texts = [...operators.keys()].map((name) => documentationOf(items, name))
    expect(texts).not.toContain("")
    expect(new Set(texts).size).toBe(operators.size)
  })
  test("the members of a condition, at any depth", async () => {
    const rule =
      "defaultValue: false\nenvironments:\n  staging:\n    enabled: true\n    rules:\n      - all:\n"
    const members = ["attribute", "operator", "value", "all", "any", "none"]
    const offered = await completions(`${rule}          - |`)
    expect(offered).toEqual(expect.arrayContaining(members))
    expect(offered).not.toContain("returnValue")
    const labels = await completions(
      `${rule}          - any:\n              - operator: exists\n                |`,
    )
    expect(labels).toContain("attribute")
    expect(labels).not.toContain("returnValue")
  })
  test("a whole stage of a ramp, and nothing that is not YAML where a mapping or a list of them goes", async () => {
    const rule = "defaultValue: false\nenvironments:\n  staging:\n    enabled: true\n    rules:\n      - "
    const stage = await complete(`${rule}ramp:\n          stages:\n            - |`)
    expect(JSON.stringify(stage)).toMatch(/at: [^\n]*2026-12-01T09:00:00Z\}\\n {2}share: /)
    const places = ["all: |", "share: |", "ramp: |", "ramp:\n          stages: |", "split: |"]
    const offered = await Promise.all(places.map((place) => complete(`${rule}${place}`)))
    expect(JSON.stringify(offered)).not.toContain("[object Object]")
  })
  test("values in the quotes that they need", async () => {
    const rule =
      "defaultValue: false\nenvironments:\n  staging:\n    enabled: true\n    rules:\n      - attribute: a\n"
    const items = await complete(`${rule}        operator: equals\n        value: |`)
    const inserted = items.map(({ insertText, textEdit }) => textEdit?.newText ?? insertText ?? "")
    expect(inserted).toEqual(expect.arrayContaining(['"25"', '"@example.com"']))
    expect(inserted.filter((text) => /^[@\d]/.test(text))).toEqual([])
  })
})

describe.concurrent("hover explains", () => {
  test.each([
    ["a member", "def|aultValue: false\n", "no rule matches"],
    [
      "an environment",
      "defaultValue: false\nenvironments:\n  prod|uction: { enabled: true }\n",
      "configuration in production",
    ],
    [
      "a member of a rule",
      "defaultValue: false\nenvironments:\n  production:\n    enabled: true\n    rules:\n      - oper|ator: always\n        returnValue: true\n",
      "matches everyone",
    ],
    [
      "an operator",
      "defaultValue: false\nenvironments:\n  production:\n    enabled: true\n    rules:\n      - operator: perc|entage\n",
      "Both pick the same users.",
    ],
    [
      "a group",
      "defaultValue: false\nenvironments:\n  production:\n    enabled: true\n    rules:\n      - no|ne: [{ attribute: a, operator: exists }]\n",
      "none of which may hold",
    ],
    [
      "a member of a condition",
      "defaultValue: false\nenvironments:\n  production:\n    enabled: true\n    rules:\n      - all:\n          - any:\n              - attri|bute: a\n",
      "evaluation context",
    ],
    [
      "an operator in a group",
      "defaultValue: false\nenvironments:\n  production:\n    enabled: true\n    rules:\n      - all:\n          - operator: perc|entage\n",
      "older way to write",
    ],
  ])("%s", async (_, text, part) => {
    const shown = await hover(text)
    expect(shown).toContain(part)
    expect(shown).not.toContain("A feature flag in") // its title names the member
  })

  test("with a link to the docs, if the package says where they are", async () => {
    const schema = join(cwd, "linked.schema.json")
    const project = { name: "shop", environments: [{ name: "staging", id: "staging" }], operators: [] }
    const docs = publicDocs("docs/flag-files.md", "https://git.example/flagstone.git")
    writeFileSync(schema, JSON.stringify(editorSchema(project, docs)))
    const found = await server.hover(`# yaml-language-server: $schema=${schema}\ndef|aultValue: false\n`)
    expect(found).toContain("](https://git.example/flagstone/blob/HEAD/docs/flag-files.md#a-flag)")
  })
})

/** What no JSON Schema can see: YAML errors, the calendar, expressions, exact numbers. */
const beyondSchema =
  /many YAML parsers|as other types|RE2 expression|RFC 3339|must be a list of strings|JSON readers|JSON has no|base name/

describe.concurrent("on the golden cases its errors are where ours are", () => {
  test.each([
    "every-form",
    "bad-operand",
    "missing-field",
    "unknown-environment",
    "unknown-field",
    "unknown-operator",
    "unknown-type",
    "unquoted-value",
    "wrong-type",
    "wrong-value-type",
    "bad-operand/conditions",
    "unknown-field/conditions",
    "wrong-type/conditions",
  ])("%s", async (name) => {
    const project = mkdtempSync(join(tmpdir(), "flagstone-lsp-golden-"))
    copyFlags(name, project)
    const schema = testHost({ cwd: project })
    await runSchema({ flags: "flags" }, schema)
    writeFileSync(join(project, "flags", "flag.schema.json"), schema.out())
    const host = testHost({ cwd: project })
    await runLint({ flags: "flags", format: "json" }, host)
    const rows: { line: number; severity: string; file: string; code: string; message: string }[] =
      JSON.parse(host.out())

    const files = readdirSync(join(project, "flags"), { recursive: true, encoding: "utf8" })
    const line = `# yaml-language-server: $schema=${join(project, "flags", "flag.schema.json")}\n`
    const agree = async (file: string) => {
      const text = readFileSync(join(project, "flags", file), "utf8")
      const { diagnostics } = await open(text, line)
      const errors = rows.filter((row) => row.file === `flags/${file}` && row.severity === "error")
      const lines = errors.map((row) => row.line)
      const seen = diagnostics.map(({ range }) => range.start.line) // from 0, and the schema's line comes first
      for (const { line, message } of errors) {
        if (!beyondSchema.test(message)) expect(seen, `${file}:${line} ${message}`).toContain(line)
      }
      for (const { message, range } of diagnostics) {
        // A misspelt member is also a missing one; we report only the first, at its place, and the server both.
        if (!message.startsWith("Missing property"))
          expect(lines, `${file} ${message}`).toContain(range.start.line)
      }
      expect(diagnostics.length > 0).toBe(errors.some(({ message }) => !beyondSchema.test(message)))
    }
    await Promise.all(files.filter((path) => /\.ya?ml$/.test(path) && path !== "project.yaml").map(agree))
  })
})
