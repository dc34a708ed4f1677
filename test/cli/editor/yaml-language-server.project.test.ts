// @module-tag slow
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { runLint } from "../../../cli/commands/lint.ts"
import { testHost } from "../../test-host.ts"
import { documentationOf, type LanguageServer, startLanguageServer } from "./language-server.ts"

// What editors offer from the project: its segments, its attributes with their values, and its project file.

const cwd = mkdtempSync(join(tmpdir(), "flagstone-lsp-"))
const lineOf = (schema: string) => `# yaml-language-server: $schema=./${schema}\n`
const [flagLine, segmentLine, projectLine, specLine] = ["flag", "segment", "project", "spec"].map((name) =>
  lineOf(`${name}.schema.json`),
) as [string, string, string, string]
let server: LanguageServer

beforeAll(async () => {
  mkdirSync(join(cwd, "flags"))
  const write = (name: string, text: string) => writeFileSync(join(cwd, "flags", name), text)
  write(
    "project.yaml",
    `${projectLine}project: shop
environments: [staging, production]
tags: [checkout, permanent]
attributes:
  email: { type: text, description: as they signed up with it }
  plan: { type: text, values: [free, pro], description: what they pay }
  age: { type: number }
  isStaff: { type: boolean }
  anything: {}
`,
  )
  write(
    "staff.segment.yaml",
    `${segmentLine}description: Everyone who works here.\nattribute: email\noperator: endsWith\nvalue: "@a"\n`,
  )
  write("beta.segment.yaml", "segment: staff\n")
  write("first.spec.yaml", "flag: first\ncases: []\n")
  write(
    "first.yaml",
    `${flagLine}defaultValue: false\nenvironments: { staging: { enabled: true, rules: [{ segment: beta, returnValue: true }] } }\n`,
  )
  const host = testHost({ cwd })
  expect(await runLint({ flags: "flags" }, host), host.out()).toBe(0)
  server = await startLanguageServer(cwd)
})

afterAll(() => server.stop())

const rules = `${flagLine}defaultValue: false\nenvironments:\n  production:\n    enabled: true\n    rules:\n`

async function labels(text: string): Promise<readonly string[]> {
  return (await server.complete(text)).map(({ label }) => label)
}

const messages = async (text: string) =>
  (await server.open(text)).diagnostics.map(({ message, range }) => `${range.start.line + 1} ${message}`)

/** Lint's codes for the same flag file in the same project. */
async function errorsOfLint(text: string): Promise<readonly string[]> {
  const project = mkdtempSync(join(tmpdir(), "flagstone-lsp-"))
  cpSync(join(cwd, "flags"), join(project, "flags"), { recursive: true })
  writeFileSync(join(project, "flags", "opened.yaml"), text)
  const host = testHost({ cwd: project })
  await runLint({ flags: "flags", format: "json" }, host)
  const rows: { severity: string; file: string; code: string }[] = JSON.parse(host.out())
  return rows
    .filter(({ severity, file }) => severity === "error" && file === "flags/opened.yaml")
    .map(({ code }) => code)
}

// The server reads a file only when its writer has paused for 200 ms, so many are opened at once.
describe.concurrent("completion offers", () => {
  test("segments in a rule, each with the users it matches", async () => {
    const items = await server.complete(`${rules}      - segment: |`)
    expect(items.map(({ label }) => label)).toEqual(expect.arrayContaining(["beta", "staff"]))
    expect(documentationOf(items, "staff")).toContain("Everyone who works here.")
  })
  test("segments in a list of conditions", async () => {
    expect(await labels(`${rules}      - all:\n          - segment: |`)).toEqual(
      expect.arrayContaining(["beta", "staff"]),
    )
  })
  test("attributes in a rule, each with its type, its description and its values", async () => {
    const items = await server.complete(`${rules}      - attribute: |`)
    expect(items.map(({ label }) => label)).toEqual(
      expect.arrayContaining(["email", "plan", "age", "isStaff", "anything"]),
    )
    expect(items.map(({ label }) => label)).not.toContain("country")
    expect(documentationOf(items, "email")).toContain("text: as they signed up with it")
    expect(documentationOf(items, "plan")).toContain("what they pay")
    expect(documentationOf(items, "plan")).toContain("free, pro")
    expect(documentationOf(items, "age")).toContain("number")
  })
  test("the values of an attribute", async () => {
    const offered = await labels(
      `${rules}      - attribute: plan\n        operator: equals\n        value: |`,
    )
    expect(offered).toEqual(expect.arrayContaining(["free", "pro"]))
    expect(offered.filter((label) => /25|@example/.test(label))).toEqual([])
  })
  test("the values of an attribute in a list", async () => {
    expect(
      await labels(`${rules}      - attribute: plan\n        operator: in\n        value:\n          - |`),
    ).toEqual(expect.arrayContaining(["free", "pro"]))
  })
  test("true and false, quoted, for a boolean", async () => {
    const items = await server.complete(
      `${rules}      - attribute: isStaff\n        operator: equals\n        value: |`,
    )
    expect(items.map(({ insertText, textEdit }) => textEdit?.newText ?? insertText)).toEqual(
      expect.arrayContaining(['"true"', '"false"']),
    )
  })
  test("the members of a split and of a share", async () => {
    expect(await labels(`${rules}      - |`)).toEqual(expect.arrayContaining(["split", "segment"]))
    expect(await labels(`${rules}      - split:\n          |`)).toEqual(
      expect.arrayContaining(["by", "into"]),
    )
    expect(
      await labels(`${rules}      - split:\n          by: email\n          into:\n            - |`),
    ).toEqual(expect.arrayContaining(["share", "returnValue"]))
  })
  test("attributes that users can be split by", async () => {
    const items = await server.complete(`${rules}      - split:\n          by: |`)
    expect(items.map(({ label }) => label)).toEqual(expect.arrayContaining(["email", "plan", "anything"]))
    expect(documentationOf(items, "email")).toContain("text: as they signed up with it")
  })
  test("the tags of the project", async () => {
    expect(await labels(`${flagLine}defaultValue: false\ntags:\n  - |`)).toEqual(
      expect.arrayContaining(["checkout", "permanent"]),
    )
  })
  test("in a spec its members, and the environments", async () => {
    expect(await labels(`${specLine}flag: first\ncases:\n  - |`)).toEqual(
      expect.arrayContaining(["environment", "context", "matrix", "expect", "share"]),
    )
    expect(await labels(`${specLine}flag: first\ncases:\n  - environment: |`)).toEqual(
      expect.arrayContaining(["staging", "production"]),
    )
  })
  test("in a segment file its members, the other segments and attributes", async () => {
    const members = await labels(`${segmentLine}|`)
    expect(members).toEqual(expect.arrayContaining(["description", "owner", "attribute", "all", "segment"]))
    for (const name of ["defaultValue", "flag", "is"]) expect(members).not.toContain(name)
    const inner = await labels(`${segmentLine}any:\n  - |`)
    expect(inner).toContain("segment")
    for (const name of ["flag", "is"]) expect(inner).not.toContain(name)
    expect(await labels(`${segmentLine}segment: |`)).toEqual(expect.arrayContaining(["beta", "staff"]))
    expect(await labels(`${segmentLine}any:\n  - attribute: |`)).toEqual(
      expect.arrayContaining(["email", "plan"]),
    )
  })
  test("in project.yaml its members, the types of attributes and what can be required", async () => {
    expect(await labels(`${projectLine}project: a\n|`)).toEqual(
      expect.arrayContaining(["environments", "attributes", "require", "tags", "ignore", "protected"]),
    )
    expect(await labels(`${projectLine}attributes:\n  plan:\n    type: |`)).toEqual(
      expect.arrayContaining(["text", "number", "boolean", "version", "moment", "list"]),
    )
    expect(await labels(`${projectLine}require:\n  - |`)).toEqual(
      expect.arrayContaining(["owner", "expires"]),
    )
  })
})

describe.concurrent("hover explains", () => {
  test.each([
    [
      "a split",
      `${rules}      - sp|lit: { by: email, into: [{ share: 10, returnValue: true }] }\n`,
      "each to a share",
    ],
    ["by", `${rules}      - split: { b|y: email, into: [] }\n`, "who falls into which share"],
    ["a share", `${rules}      - split: { by: email, into: [{ sha|re: 10 }] }\n`, "percent"],
    ["segment", `${rules}      - seg|ment: staff\n`, "whose condition applies here"],
    ["a segment", `${rules}      - segment: sta|ff\n`, "Everyone who works here."],
    ["an attribute", `${rules}      - attribute: em|ail\n`, "as they signed up with it"],
    ["a member of a segment file", `${segmentLine}own|er: me\n`, "Who is responsible for the segment"],
    ["a member of project.yaml", `${projectLine}ign|ore: []\n`, "Globs of files"],
    [
      "an attribute of project.yaml",
      `${projectLine}attributes:\n  plan: { val|ues: [a] }\n`,
      "The only values",
    ],
  ])("%s", async (_, text, part) => expect(await server.hover(text)).toContain(part))
})

describe.concurrent("its errors are where lint's are", () => {
  const rule = (members: string) => `${rules}      - { ${members} }\n`

  test.each([
    ["an unknown segment", rule("segment: stff, returnValue: true")],
    ["a segment beside a comparison", rule("segment: staff, operator: always, returnValue: true")],
    ["a flag beside a comparison", rule("flag: first, attribute: age, operator: exists, returnValue: true")],
    ["an unknown attribute", rule("attribute: emial, operator: exists, returnValue: true")],
    [
      "an operator that does not fit",
      rule('attribute: age, operator: startsWith, value: "1", returnValue: true'),
    ],
    [
      "a value that an attribute never has",
      rule("attribute: plan, operator: equals, value: gold, returnValue: true"),
    ],
    ["such a value in a list", rule("attribute: plan, operator: in, value: [free, gold], returnValue: true")],
    [
      "a split by an unknown attribute",
      rule("split: { by: emial, into: [{ share: 5, returnValue: true }] }"),
    ],
    ["a split by a boolean", rule("split: { by: isStaff, into: [{ share: 5, returnValue: true }] }")],
    ["a share that is too large", rule("split: { by: email, into: [{ share: 101, returnValue: true }] }")],
    ["a share of no one", rule("split: { by: email, into: [{ share: 0, returnValue: true }] }")],
    ["a share as text", rule('split: { by: email, into: [{ share: "34", returnValue: true }] }')],
    ["a share of a different type", rule("split: { by: email, into: [{ share: 34, returnValue: 1 }] }")],
    ["no share", rule("split: { by: email, into: [] }")],
    [
      "a value beside a split",
      rule("split: { by: email, into: [{ share: 5, returnValue: true }] }, returnValue: true"),
    ],
    ["an unknown tag", `${flagLine}defaultValue: false\ntags: [chekout]\n`],
  ])("%s", async (_, text) => {
    expect(await messages(text)).not.toEqual([])
    expect(await errorsOfLint(text)).toHaveLength(1)
  })

  test.each([
    ["a value", `${segmentLine}segment: staff\nreturnValue: true\n`],
    ["no condition", `${segmentLine}description: x\n`],
    ["two conditions", `${segmentLine}segment: staff\nall: [{ segment: beta }]\n`],
    ["an unknown segment", `${segmentLine}any: [{ segment: stff }]\n`],
    ["a flag", `${segmentLine}any: [{ flag: first }]\n`],
    ["an unknown attribute", `${segmentLine}attribute: emial\noperator: exists\n`],
    [
      "a list in a file that is no list",
      `${segmentLine}attribute: plan\noperator: in\nvalue: { file: a.csv }\n`,
    ],
    ["a file for one value", `${segmentLine}attribute: anything\noperator: equals\nvalue: { file: a.txt }\n`],
  ])("a segment file with %s", async (_, text) => expect(await messages(text)).not.toEqual([]))

  test("none in a list in a file, nor in a schema in one", async () => {
    const list = `${segmentLine}attribute: anything\noperator: in\nvalue: { file: lists/customers.txt }\n`
    expect(await messages(list)).toEqual([])
    expect(await messages(`${flagLine}type: json\nschema: limits.json\ndefaultValue: {}\n`)).toEqual([])
  })

  test.each([
    ["a misspelt member", `${specLine}flag: first\ncases: [{ enviroment: production, expect: true }]\n`],
    ["an unknown environment", `${specLine}flag: first\ncases: [{ environment: prod, expect: true }]\n`],
    ["no flag", `${specLine}cases: []\n`],
  ])("a spec with %s", async (_, text) => expect(await messages(text)).not.toEqual([]))

  test.each([
    ["an unknown member", `${projectLine}project: a\nenvironments: [b]\nignored: []\n`],
    ["an unknown type", `${projectLine}project: a\nenvironments: [b]\nattributes: { c: { type: string } }\n`],
    ["a member that cannot be required", `${projectLine}project: a\nenvironments: [b]\nrequire: [key]\n`],
  ])("project.yaml with %s", async (_, text) => expect(await messages(text)).not.toEqual([]))

  test.each([
    ["a segment", rule("segment: staff, returnValue: true")],
    ["another flag", rule("flag: first, returnValue: true")],
    ["a value of another flag", rule("none: [{ flag: first, is: false }], returnValue: true")],
    [
      "a split with a condition",
      rule("segment: beta, split: { by: email, into: [{ share: 33.333, returnValue: true }] }"),
    ],
    ["a value in a text", rule(`attribute: plan, operator: in, value: '["free"]', returnValue: true`)],
    [
      "an attribute of any type",
      rule('attribute: anything, operator: lessThan, value: "1", returnValue: true'),
    ],
    ["a segment file", `${segmentLine}description: x\nowner: me\nnone:\n  - segment: staff\n`],
    [
      "a project file",
      `${projectLine}project: a\nenvironments: [b]\nrequire: [owner, { field: tags, exceptTagged: [x] }]\nignore: [docs/**]\n`,
    ],
  ])("none in %s", async (_, text) => expect(await messages(text)).toEqual([]))
})
