// @module-tag property
import fc from "fast-check"
import { micromark } from "micromark"
import { gfm, gfmHtml } from "micromark-extension-gfm"
import { expect, test } from "vitest"
import { phrase } from "../../../cli/diagnostics/phrase.ts"
import { code, markdown, tableRow, wholeCode } from "../../../cli/phrases/markdown.ts"
import { anyText } from "../../any-text.ts"
import { runs } from "../../runs.ts"

const parts = fc.constantFrom(
  ..."` `` ``` | \\ \\| < > @octocat #1 https://evil.example www.evil.example [a](b) ![a](b) <img> <!-- --> * _ ~~ \n \r \u2028 \u202e \u0085 \t".split(
    " ",
  ),
  " ",
)
const hostile = fc
  .array(fc.oneof(parts, anyText({ maxLength: 3 })), { maxLength: 8 })
  .map((texts) => texts.join("").replace(/\p{Surrogate}/gu, "?"))

test("no text leaves its code span, in a line, a list or a cell of a table", () => {
  fc.assert(
    fc.property(hostile, hostile, (a, b) => {
      const cells = [code(a), `${wholeCode(b)} in x`, markdown(phrase`is ${a}${b} now`)]
      const lines = [
        markdown(phrase`${a}: ${b}`),
        "",
        `- ${wholeCode(a)}: ${code(b)}`,
        "",
        tableRow(["f", "g", "h"]),
        "| - | - | - |",
        tableRow(cells),
      ]
      const html = micromark(`${lines.join("\n")}\n`, {
        allowDangerousHtml: true,
        extensions: [gfm()],
        htmlExtensions: [gfmHtml()],
      })
      const shown = html.replace(/<code>[^<]*<\/code>/g, "C").replace(/\s+/g, "")
      const table = (row: string) =>
        `<table><thead><tr><th>f</th><th>g</th><th>h</th></tr></thead><tbody><tr>${row}</tr></tbody></table>`
      const expected = `<p>C:C</p><ul><li>C:C</li></ul>${table("<td>C</td><td>Cinx</td><td>isCCnow</td>")}`
      if (shown !== expected) throw new Error(`${shown}\n${lines.join("\n")}`)
    }),
    { numRuns: runs(400) },
  )
})

test.each([
  ["a", "`a`"],
  ["a`b", "``a`b``"],
  ["a`b``c", "```a`b``c```"],
  ["`", "`` ` ``"],
  [" a", "`  a `"],
  ["a`", "`` a` ``"],
  ["", '`""`'],
  ["  ", '`"  "`'],
  ["<!-- a", "`<! -- a`"],
])("the code span of %j is %s", (text, span) => {
  expect(code(text)).toBe(span)
  expect(wholeCode(text)).toBe(span)
})

test("our words are text, and adjacent texts stay apart", () => {
  expect(markdown(phrase`2 * 3: ${"a"}${"b"} of [c]`)).toBe("2 \\* 3: `a` `b` of \\[c\\]")
  expect(tableRow(["a|b", "a\\|b"])).toBe("| a\\|b | a\\\\u007cb |")
})
