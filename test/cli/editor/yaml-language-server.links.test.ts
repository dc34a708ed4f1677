// @module-tag slow
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { runInit } from "../../../cli/commands/init.ts"
import { testHost } from "../../test-host.ts"
import { documentationOf, type LanguageServer, startLanguageServer } from "./language-server.ts"

// What an author who has just run `init` gets: links that open the pages of the installed Flagstone.

const root = resolve(import.meta.dirname, "../../..")
const cwd = mkdtempSync(join(tmpdir(), "flagstone-lsp-links-"))
const schemaLine = "# yaml-language-server: $schema=./flag.schema.json\n"
let server: LanguageServer

beforeAll(async () => {
  execFileSync("git", ["init", "-q"], { cwd })
  expect(await runInit({ flags: "flags" }, testHost({ cwd }))).toBe(0)
  server = await startLanguageServer(cwd)
})

afterAll(() => server.stop())

/** The headings that the links in a text open. */
function headingsIn(text: string): readonly string[] {
  return [...text.matchAll(/\[Flag files\]\(([^)]+)\)/g)].map(([, address = ""]) => {
    const { href, hash } = new URL(address)
    const path = fileURLToPath(href)
    expect(path).toBe(join(root, "docs/flag-files.md"))
    return readFileSync(path, "utf8").split("\n")[Number(hash.slice("#L".length)) - 1] ?? "no line"
  })
}

const rule = "defaultValue: false\nenvironments:\n  production:\n    enabled: true\n    rules:\n      - "

describe.concurrent("a link opens the section", () => {
  test.each([
    ["a flag", "def|aultValue: false\n", "## A flag"],
    ["a rule", `${rule}oper|ator: always\n`, "## Rules"],
    ["a group", `${rule}no|ne: [{ operator: always }]\n`, "### Several conditions"],
    ["a segment", `${rule}seg|ment: staff\n`, "### Segments"],
    ["a split", `${rule}split: { b|y: userId }\n`, "### Splits"],
  ])("about %s, in hover", async (_, text, heading) => {
    expect(headingsIn(await server.hover(`${schemaLine}${text}`))).toEqual([heading])
  })
  test("about a flag, in completion", async () => {
    const items = await server.complete(`${schemaLine}defaultValue: false\n|`)
    expect(headingsIn(documentationOf(items, "expires"))).toEqual(["## A flag"])
  })
  test("about known attributes, in the project file", async () => {
    const text = "# yaml-language-server: $schema=./project.schema.json\nproject: x\nattri|butes: { a: {} }\n"
    expect(headingsIn(await server.hover(text))).toEqual(["### Known attributes"])
  })
})
