import { expect, test } from "vitest"
import { createReport } from "../../../cli/diagnostics/diagnostic.ts"
import { parseSource } from "../../../cli/yaml/parse.ts"

/** A list of a text with that many characters, and its aliases: how many values that is, and what is wrong with it. */
function listOf(length: number, aliases: number, name = "") {
  const text = `- &a ${"x".repeat(length)}\n${"- *a\n".repeat(aliases)}${name}`
  const report = createReport()
  const isRead = parseSource({ path: "/x.yaml", text }, report) !== undefined
  return { isRead, messages: report.diagnostics.map(({ message }) => message) }
}

const tooMany = "With its aliases written out, the file has more than 20000 values. Use fewer."

// The list itself is a value.
test.each([
  ["a short text", 999, 19_998, true],
  ["a short text", 999, 19_999, false],
  ["a text of 1,000 characters counts as two", 1000, 9_998, true],
  ["a text of 1,000 characters counts as two", 1000, 9_999, false],
  ["a text of 1,999 characters counts as two", 1999, 9_998, true],
  ["a text of 2,000 characters counts as three", 2000, 6_665, true],
  ["a text of 2,000 characters counts as three", 2000, 6_666, false],
])("%s: %i characters with %i aliases", (_, length, aliases, isRead) => {
  expect(listOf(length, aliases)).toEqual({ isRead, messages: isRead ? [] : [tooMany] })
})

test("a long name counts as its characters, too, and too many values are reported once", () => {
  expect(listOf(1, 19_996, `- ${"x".repeat(999)}: 1\n`).isRead).toBe(true)
  expect(listOf(1, 19_996, `- ${"x".repeat(1000)}: 1\n`)).toEqual({ isRead: false, messages: [tooMany] })
  expect(listOf(1, 30_000).messages).toEqual([tooMany])
})

test("without aliases, the file has the values", () => {
  const report = createReport()
  parseSource({ path: "/x.yaml", text: "- 1\n".repeat(20_000) }, report)
  expect(report.diagnostics.map(({ message }) => message)).toEqual([
    "The file has more than 20000 values. Use fewer.",
  ])
})
