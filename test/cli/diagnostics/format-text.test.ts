import { expect, test } from "vitest"
import { wholeFile } from "../../../cli/diagnostics/diagnostic.ts"
import { formatText } from "../../../cli/diagnostics/format-text.ts"
import { describeFormat, harmful, lint } from "../../contracts/diagnostic-format.ts"

describeFormat("text", "")

test("both places of a mistake about two, each with its frame", async () => {
  const { out } = await lint({ format: "text" })
  expect(out).toContain("flags/sub/one.yaml:1:1 error duplicate-key\n  Two flags have the key `one`.")
  expect(out).toContain("\n  flags/one.yaml:1:1 The other is here.\n")
  expect(out).toContain("flags/misspelt.yaml:1:1 error unknown-field\n")
  expect(out).toContain("\n  1 | nmae: 50 % off, really\n    | ^^^^\n")
})

test.each([
  ["a terminal", {}, true, true],
  ["no terminal", {}, false, false],
  ["a terminal and NO_COLOR", { NO_COLOR: "1" }, true, false],
  ["a terminal and an empty NO_COLOR", { NO_COLOR: "" }, true, true],
  ["no terminal and FORCE_COLOR", { FORCE_COLOR: "1" }, false, true],
  ["a terminal and FORCE_COLOR=0", { FORCE_COLOR: "0" }, true, false],
  ["a dumb terminal", { TERM: "dumb" }, true, false],
])("colour: %s", async (_, env, stdout, colour) => {
  const { out } = await lint({ format: "text" }, { env, isTerminal: { stdin: false, stdout, stderr: false } })
  expect(out.includes("\u001b[31merror\u001b[39m")).toBe(colour)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the colours
  expect(out.replace(/\u001b\[\d+m/g, "")).not.toMatch(harmful)
})

test("no file's name is a workflow command", () => {
  const location = { source: { path: "/a/::error::b/##[group]c.yaml", text: "" }, span: wholeFile }
  const related = [{ message: "The other is here.", location }]
  const fault = { code: "syntax", severity: "error", message: "A message.", related, fix: undefined } as const
  const text = formatText([{ ...fault, location }], "/a")
  expect(text).toContain("%3A%3Aerror::b/##%5Bgroup]c.yaml:1:1 error syntax\n")
  expect(text).not.toMatch(/^\s*::|##\[/m)
})
