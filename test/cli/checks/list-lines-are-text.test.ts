import { expect, test } from "vitest"
import { listLinesAreText } from "../../../cli/checks/list-lines-are-text.ts"
import { createReport } from "../../../cli/diagnostics/diagnostic.ts"
import { parseSource } from "../../../cli/yaml/parse.ts"

function codesOf(text: string) {
  const list = createReport()
  listLinesAreText({ path: "/p/list.txt", text }, list)
  const flag = createReport()
  const lines = text.split(/\r?\n/).map((line) => `  ${line}`)
  parseSource({ path: "/p/flag.yaml", text: `value: |\n${lines.join("\n")}\n` }, flag)
  return { list: list.diagnostics.map(({ code }) => code), flag: flag.diagnostics.map(({ code }) => code) }
}

test("no character that YAML refuses in a text is part of a list", () => {
  const upTo = (end: number) => Array.from({ length: 0x300 }, (_, before) => end - before)
  const refused = [...upTo(0x2ff), ...upTo(0x22ff), ...upTo(0xffff)].filter(
    (code) => codesOf(`a${String.fromCharCode(code)}b`).flag.length > 0,
  )
  expect(refused.length).toBeGreaterThan(60)
  expect(refused.filter((code) => codesOf(`a${String.fromCharCode(code)}b`).list.length === 0)).toEqual([])
})

test.each([
  ["A\rB\n", ["1-2: This carriage return does not end a line. Remove it."]],
  ["A\r\nB\n", []],
])("a carriage return in %j ends a line or is refused", (text, messages) => {
  const report = createReport()
  listLinesAreText({ path: "/p/list.txt", text }, report)
  const found = report.diagnostics.map(
    ({ message, location: { span } }) => `${span.start}-${span.end}: ${message}`,
  )
  expect(found).toEqual(messages)
})

test.each([["both sides", "DE\n<<<<<<< HEAD\nAT\n=======\nCH\n>>>>>>> branch\n"]])(
  "an unresolved conflict is no part of a list: %s",
  (_, text) => {
    expect(codesOf(text).list).toEqual(["syntax"])
  },
)
