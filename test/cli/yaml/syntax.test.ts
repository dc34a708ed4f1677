import { expect, test } from "vitest"
import { createReport } from "../../../cli/diagnostics/diagnostic.ts"
import { parseSource } from "../../../cli/yaml/parse.ts"

/** What is wrong with a text: each message with its place, and the text after the fix if there is one. */
function faultsOf(text: string): readonly string[] {
  const report = createReport()
  parseSource({ path: "/x.yaml", text }, report)
  return report.diagnostics.map(({ message, location: { span }, fix, related }) => {
    const others = related.map(({ location }) => ` with ${location.span.start}-${location.span.end}`)
    const fixed = fix && ` → ${JSON.stringify(text.slice(0, fix.start) + fix.text + text.slice(fix.end))}`
    return `${span.start}-${span.end}${others.join("")}: ${message}${fixed ?? ""}`
  })
}

// The messages that test/golden shows are left out here.
test.each([
  ["---\na: 1\n", []],
  ["a: 1\n...\n", []],
  ['a: "\\ud83d"\n', ["4-10: `\\ud83d` encodes only half of a character. Write the character itself."]],
  ['a: "\\udc00x"\n', ["4-10: `\\udc00` encodes only half of a character. Write the character itself."]],
  ['a: "\\ud83d\\ude00"\n', []],
  ["a: [b\n", ["6-7 with 3-4: The list that starts at 1:4 is not closed. End it with `]`."]],
  [
    "a: [1]\nb: [{c: [2}\n",
    ["17-18 with 15-16: The list that starts at 2:9 is not closed. End it with `]`."],
  ],
  ["a: [x] y\n", ['3-8: YAML reserves `[` at the start of a value. Quote it: "[x] y".']],
  [
    "a: @b c # d\n",
    ['3-7: YAML reserves `@` at the start of a value. Quote it: "@b c". → "a: \\"@b c\\" # d\\n"'],
  ],
  ["a: `b\n", ['3-5: YAML reserves a backtick at the start of a value. Quote it: "`b". → "a: \\"`b\\"\\n"']],
  ["a: >=1\n", ['3-6: YAML reserves `>` at the start of a value. Quote it: ">=1". → "a: \\">=1\\"\\n"']],
  [
    "a: [@b, c]\n",
    ['4-6: YAML reserves `@` at the start of a value. Quote it: "@b". → "a: [\\"@b\\", c]\\n"'],
  ],
  ["a: @b\n  c\n", ["3-4: Quote this: YAML reserves its first character."]],
  [
    "a: @b\nc: @d\n",
    ['3-5: YAML reserves `@` at the start of a value. Quote it: "@b". → "a: \\"@b\\"\\nc: @d\\n"'],
  ],
  [
    `a: @${"x".repeat(100)}\n`,
    [
      '3-104: YAML reserves `@` at the start of a value. Quote it. → "a: \\"@xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\\"\\n"',
    ],
  ],
  [
    "a: *b\n",
    ["3-5: No anchor `&b` is defined before this. Write out the value, or quote it if it is text."],
  ],
  ["a: *b!\n", ['3-6: Text that starts with `*` must be quoted: `"*b!"`.']],
  ["a: &b [*b]\n", ["7-9: `*b` refers to a value that contains it. Write out the value."]],
  ["a: &b 1\nc: *b\n", []],
  ["a: 1\na: 2\n", ["5-6 with 0-1: `a` appears twice. Remove one of them."]],
  ['"<<": 2\n', []],
  [
    "a:\n  b: 1\n c: 2\n",
    ["11-12 with 5-6: This starts in column 2, but its siblings start in column 3. Add 1 space."],
  ],
  [
    "a:\n  b:\n    c: 1\n    t: |\n      x: 1\n     d: 2\n",
    ["42-43 with 21-22: This starts in column 6, but its siblings start in column 5. Remove 1 space."],
  ],
  ["a: |\n  x\n  \n", []],
  ["a: |+\n  x", []],
  ["a: |+\n  x\n\n", []],
  ["a: |2\n  x\n  \n", []],
  ["a: |1\n x\n   \n", ["12-13: This text ends with a line of spaces. Remove the spaces."]],
  ["a: |+\n  x\n   ", ["12-13: This text ends with a line of spaces. Remove the spaces."]],
  ["a: |2+\n  x\n    \n", ["15-16: This text ends with a line of spaces. Remove the spaces."]],
  ["a: |\n x\n\tb\n", ["8-9: Block scalar lines must not be less indented than their first line."]],
])("%j", (text, faults) => expect(faultsOf(text)).toEqual(faults))

test("values are nested at most 64 levels deep", () => {
  expect(faultsOf(`${"[".repeat(65)}${"]".repeat(65)}`)).toEqual([])
  expect(faultsOf(`${"[".repeat(66)}${"]".repeat(66)}`)).toEqual([
    "65-67: Values are nested more than 64 levels deep. Flatten them.",
  ])
})
