// @module-tag slow
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
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

const root = resolve(import.meta.dirname, "../../..")
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
      "older way to write",
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

const rule = (members: string) =>
  `defaultValue: false\nenvironments:\n  production:\n    enabled: true\n    rules:\n      - { ${members} }\n`

/** Mistakes that the schema can see, each in a file with one of our errors; the server's is on the same line. */
const visible = [
  ["an unknown member", "nmae: x\ndefaultValue: false\n"],
  ["an unknown environment", "defaultValue: false\nenvironments:\n  prod: { enabled: true }\n"],
  ["an unknown operator", rule("attribute: a, operator: equal, value: x, returnValue: true")],
  ["an unknown type", "type: bool\ndefaultValue: false\n"],
  ["a missing member", "name: x\n"],
  ["a missing enabled", "defaultValue: false\nenvironments:\n  production: { rules: [] }\n"],
  ["a wrong type", "defaultValue: false\ntags: x\n"],
  ["a number as text", "name: 1.10\ndefaultValue: false\n"],
  ["yes for true", "defaultValue: false\nenvironments:\n  production: { enabled: yes }\n"],
  ["a value of a different type", "type: string\ndefaultValue: 1\n"],
  ["a value of a type other than boolean", "defaultValue: 1\n"],
  ["a returnValue of a different type", rule("attribute: a, operator: exists, returnValue: 1")],
  ["an unquoted value", rule("attribute: a, operator: equals, value: 1.10, returnValue: true")],
  ["a value that is not a number", rule("attribute: a, operator: lessThan, value: ten, returnValue: true")],
  [
    "a value that is not a version",
    rule("attribute: a, operator: semverLessThan, value: newest, returnValue: true"),
  ],
  ["a percentage over 100", rule('attribute: a, operator: percentage, value: "101", returnValue: true')],
  ["a value that is missing", rule("attribute: a, operator: equals, returnValue: true")],
  ["an attribute of always", rule("attribute: a, operator: always, returnValue: true")],
  ["a value of exists", rule("attribute: a, operator: exists, value: x, returnValue: true")],
  ["a bad key", "key: a b\ndefaultValue: false\n"],
  ["a member twice", "name: a\nname: b\ndefaultValue: false\n"],
  ["bad syntax", "defaultValue: [1\n"],
  ["an empty group", rule("all: [], returnValue: true")],
  ["a group without a list", rule("any: { attribute: a, operator: exists }, returnValue: true")],
  ["two groups", rule("all: [{ operator: always }], any: [{ operator: always }], returnValue: true")],
  [
    "a group beside a comparison, in a group",
    rule("none: [{ operator: exists, all: [{ operator: always }] }], returnValue: true"),
  ],
  ["a comparison beside a group", rule("all: [{ operator: always }], operator: always, returnValue: true")],
  ["a value of a condition", rule("all: [{ operator: always, returnValue: true }], returnValue: true")],
  [
    "an unknown operator in a group",
    rule("all: [{ attribute: a, operator: equal, value: x }], returnValue: true"),
  ],
  [
    "an unquoted value deep in a group",
    rule("all: [{ any: [{ attribute: a, operator: equals, value: 1.10 }] }], returnValue: true"),
  ],
  ["a missing attribute in a group", rule("none: [{ operator: exists }], returnValue: true")],
  ["a rule without a condition", rule("returnValue: true")],
  ["a condition without one", rule("all: [{}], returnValue: true")],
] as const

describe.concurrent("its errors agree with ours", () => {
  async function ours(text: string) {
    const project = mkdtempSync(join(tmpdir(), "flagstone-lsp-"))
    mkdirSync(join(project, "flags"))
    writeFileSync(join(project, "flags", "project.yaml"), readFileSync(join(cwd, "flags", "project.yaml")))
    writeFileSync(join(project, "flags", "a.yaml"), text)
    const host = testHost({ cwd: project })
    await runLint({ flags: "flags", format: "json" }, host)
    const rows: { line: number; severity: string; file: string }[] = JSON.parse(host.out())
    return rows.filter(({ severity, file }) => severity === "error" && file.endsWith("a.yaml"))
  }

  test.each(visible)("%s", async (_, text) => {
    const { diagnostics } = await open(text)
    const [our, ...others] = await ours(text)
    expect(others).toEqual([])
    expect(our).toBeDefined()
    expect(diagnostics.length).toBeGreaterThan(0)
  })

  test.each([
    ["a plain flag", "defaultValue: false\n"],
    ["every member", readFileSync(join(root, "test/golden/every-form/flags/slash.yaml"), "utf8")],
    ["text", 'type: string\ndefaultValue: "1.10"\n'],
    ["JSON", "type: json\ndefaultValue: { a: [1, x] }\n"],
    ["a list", rule('attribute: a, operator: in, value: [DE, "1"], returnValue: true')],
    ["an empty list", rule("attribute: a, operator: in, value: [], returnValue: true")],
    ["a version with a v", rule("attribute: a, operator: semverLessThan, value: v1.2, returnValue: true")],
    ["a percentage", rule('attribute: a, operator: percentage, value: "0.5", returnValue: true')],
    ["an operator of the project", rule("operator: isNear, value: [x], returnValue: true")],
    ["always", rule("operator: always, returnValue: true")],
    [
      "groups",
      rule(
        "id: x, all: [{ attribute: a, operator: in, value: [x] }, { any: [{ none: [{ operator: isNear }] }] }], returnValue: true",
      ),
    ],
  ])("neither finds one in %s", async (_, text) => {
    expect((await ours(text)).length).toBe(0)
    expect((await open(text)).diagnostics.map(({ message }) => message)).toEqual([])
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
