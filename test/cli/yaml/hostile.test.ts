import { expect, test } from "vitest"
import { createReport } from "../../../cli/diagnostics/diagnostic.ts"
import { parseSource } from "../../../cli/yaml/parse.ts"

const fill = (text: string) => text.repeat(Math.floor(1_000_000 / text.length))
const numbered = (count: number, write: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => write(n))

/** Strings of a megabyte on which a parser that backtracks, or looks ahead repeatedly, takes minutes. */
const texts = {
  tabs: `a: 1\n${fill("\t")}`,
  "blank lines": `a:\n${fill("\n")}b: 1`,
  "lines of tabs": `a:\n${fill("\t\n")}`,
  brackets: fill("["),
  "closed brackets": `${"[".repeat(150)}${fill("x, ")}${"]".repeat(150)}`,
  dashes: fill("- "),
  "question marks": fill("? "),
  "a few question marks": `${"? ".repeat(150)}x`,
  "anchors on lines": fill("- &a !t\n"),
  aliases: `- &a 1\n${fill("- *a\n")}`,
  members: numbered(90_000, (n) => `k${n}:\n`).join(""),
  "members in braces": `a: {${numbered(90_000, (n) => `k${n}: 1`).join(",")}}`,
  "pairs in a list": `a: [${fill("x: y, ")}]`,
  "a text of many lines": `a: "${fill("x\n  ")}"`,
  "a block of blank lines": `a: |2+\n${fill("   \n")}`,
  documents: fill("---\n"),
  "blanks in a text that needs quotes": `a: @${fill(" ")}x`,
}

test.each(Object.entries(texts))(
  "a megabyte of %s is read in time and without an overflow",
  (_, text) => {
    const report = createReport()
    const file = parseSource({ path: "/x.yaml", text }, report)
    expect(file !== undefined || report.diagnostics.length > 0).toBe(true)
  },
  30_000,
)
