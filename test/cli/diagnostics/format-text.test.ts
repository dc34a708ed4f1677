import { expect, test } from "vitest"
import { wholeFile } from "../../../cli/diagnostics/diagnostic.ts"
import { formatText } from "../../../cli/diagnostics/format-text.ts"
import { hasColour, pathsFrom } from "../../../cli/diagnostics/terminal.ts"
import { describeFormat, harmful, lint } from "../../contracts/diagnostic-format.ts"
import { testHost } from "../../test-host.ts"

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

/** The frame of a span in a text: the line with its number, and the marks below it. */
function frameOf(text: string, start: number, end: number): readonly string[] {
  const location = { source: { path: "/a.yaml", text }, span: { start, end } }
  const fault = {
    code: "syntax",
    severity: "error",
    message: "A message.",
    related: [],
    fix: undefined,
  } as const
  return formatText([{ ...fault, location }], "/")
    .trimEnd()
    .split("\n")
    .slice(2)
}

test.each([
  ["nothing: the file as a whole", "a: b\n", 0, 0, []],
  ["the first character", "a: b\n", 0, 1, ["  1 | a: b", "    | ^"]],
  ["an empty span", "a:\nb:\n", 5, 5, ["  2 | b:", "    |   ^"]],
  ["more than a line", "a: [\n  b\n]\n", 3, 10, ["  1 | a: [", "    |    ^"]],
  ["a line with a number of two digits", `${"\n".repeat(9)}a: b\n`, 12, 13, ["  10 | a: b", "     |    ^"]],
  [
    "what is behind wide and invisible characters",
    "日本\u200b: é!\n",
    5,
    7,
    ["  1 | 日本\\u200b: é!", "    |             ^^"],
  ],
  ["a wide character", "a: 日\n", 3, 4, ["  1 | a: 日", "    |    ^^"]],
  [
    "the middle of a long line: eighty characters on either side",
    `${"a".repeat(100)}bcd${"e".repeat(100)}`,
    100,
    103,
    [`  1 | ${"a".repeat(80)}bcd${"e".repeat(77)}`, `    | ${" ".repeat(80)}^^^`],
  ],
])("marked: %s", (_, text, start, end, frame) => expect(frameOf(text, start, end)).toEqual(frame))

test.each([
  ["begins before the part of a line that is shown", 30, 150],
  ["ends after it", 200, 150],
  ["is far longer than that part", 150, 150],
])("a secret that %s is masked", (_, at, marked) => {
  const secret = `FLAGSTONE_PATH_SECRET=${"Ab3".repeat(40)}`
  const text = `${"x".repeat(at)} ${secret} ${"y".repeat(300)}`
  expect(frameOf(text, marked, marked + 1).join("\n")).not.toMatch(/Ab3|b3A|3Ab/)
})

test.each([
  [{}, "/here"],
  [{ GITHUB_ACTIONS: "true", GITHUB_WORKSPACE: "/repository" }, "/repository"],
  [{ GITHUB_ACTIONS: "true" }, "/here"],
  [{ GITHUB_WORKSPACE: "/repository" }, "/here"],
  [{ GITLAB_CI: "true", CI_PROJECT_DIR: "/project" }, "/project"],
  [{ GITLAB_CI: "true" }, "/here"],
  [{ CI_PROJECT_DIR: "/project" }, "/here"],
])("with %j, paths are relative to %s", (env, folder) =>
  expect(pathsFrom(testHost({ cwd: "/here", env }))).toBe(folder),
)

test("stdout and stderr have colours of their own", () => {
  const host = testHost({ isTerminal: { stdin: false, stdout: false, stderr: true } })
  expect([hasColour(host, "stdout"), hasColour(host, "stderr")]).toEqual([false, true])
  expect(hasColour(testHost({ env: { FORCE_COLOR: "false" } }), "stdout")).toBe(false)
})

test("no file's name is a workflow command", () => {
  const location = { source: { path: "/a/::error::b/##[group]c.yaml", text: "" }, span: wholeFile }
  const related = [{ message: "The other is here.", location }]
  const fault = { code: "syntax", severity: "error", message: "A message.", related, fix: undefined } as const
  const text = formatText([{ ...fault, location }], "/a")
  expect(text).toContain("%3A%3Aerror::b/##%5Bgroup]c.yaml:1:1 error syntax\n")
  expect(text).not.toMatch(/^\s*::|##\[/m)
})
