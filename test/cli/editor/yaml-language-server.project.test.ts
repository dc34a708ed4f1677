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
    ["segment", `${rules}      - seg|ment: staff\n`, "whose condition applies here"],
    ["a segment", `${rules}      - segment: sta|ff\n`, "Everyone who works here."],
    ["an attribute", `${rules}      - attribute: em|ail\n`, "as they signed up with it"],
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
    ["an unknown attribute", rule("attribute: emial, operator: exists, returnValue: true")],
    [
      "an operator that does not fit",
      rule('attribute: age, operator: startsWith, value: "1", returnValue: true'),
    ],
    [
      "a value that an attribute never has",
      rule("attribute: plan, operator: equals, value: gold, returnValue: true"),
    ],
    [
      "a split by an unknown attribute",
      rule("split: { by: emial, into: [{ share: 5, returnValue: true }] }"),
    ],
    ["a share of a different type", rule("split: { by: email, into: [{ share: 34, returnValue: 1 }] }")],
    [
      "a value beside a split",
      rule("split: { by: email, into: [{ share: 5, returnValue: true }] }, returnValue: true"),
    ],
  ])("%s", async (_, text) => {
    expect(await messages(text)).not.toEqual([])
    expect(await errorsOfLint(text)).toHaveLength(1)
  })

  test.each([
    ["a value", `${segmentLine}segment: staff\nreturnValue: true\n`],
    ["an unknown segment", `${segmentLine}any: [{ segment: stff }]\n`],
    ["a flag", `${segmentLine}any: [{ flag: first }]\n`],
    ["an unknown attribute", `${segmentLine}attribute: emial\noperator: exists\n`],
  ])("a segment file with %s", async (_, text) => expect(await messages(text)).not.toEqual([]))

  test.each([
    ["a segment", rule("segment: staff, returnValue: true")],
    ["a value of another flag", rule("none: [{ flag: first, is: false }], returnValue: true")],
    [
      "a split with a condition",
      rule("segment: beta, split: { by: email, into: [{ share: 33.333, returnValue: true }] }"),
    ],
    ["a segment file", `${segmentLine}description: x\nowner: me\nnone:\n  - segment: staff\n`],
  ])("none in %s", async (_, text) => expect(await messages(text)).toEqual([]))
})
