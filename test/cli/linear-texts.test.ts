import fc from "fast-check"
import { expect, test } from "vitest"
import { sourceLinks } from "../../cli/catalog/model/source-links.ts"
import { lineOf } from "../../cli/diagnostics/position.ts"
import { withoutCommands } from "../../cli/diagnostics/workflow-commands.ts"
import { operandsOf } from "../../cli/import/contexts.ts"
import { numberIn } from "../../cli/import/sources/flipt.ts"
import { listed } from "../../cli/import/sources/unleash.ts"
import { operandFault } from "../../cli/reading/hints/operand-fault.ts"
import { growth, linear } from "../growth.ts"

const matches = (value: string) => ({ attribute: "x", operator: "matches", value })

// A file has up to 4 MB, and anyone who opens a pull request writes it.
test.each<[string, (text: string) => unknown, string, string]>([
  ["a version with parts again and again", (text) => operandFault({ operand: "version" }, text), ".x", "y"],
  ["a percentage with blanks inside", (text) => operandFault({ operand: "percent" }, text), " ", "x"],
  ["a number with digits and a comma", (text) => operandFault({ operand: "number" }, text), "1", ",x"],
  ["a line", (text) => lineOf({ path: "a", text: text.replaceAll("\n", "x") }, 1), "a", ""],
  ["lines before a command", withoutCommands, "\n", "x"],
  ["a list with blanks", listed, " ", "x"],
  ["an expression of brackets", (text) => operandsOf(matches(text)), "[", ""],
  ["a long number", numberIn, "1", "x"],
  ["an address with slashes", (text) => sourceLinks(`https://host/${text}`, "main"), "/", "x"],
])("the time for %s is linear", (_, run, part, end) => {
  const textOf = (length: number) => `1${part.repeat(length / part.length)}${end}`
  expect(growth(run, textOf, 4_000)).toBeLessThanOrEqual(linear)
})

test("the items of a list lose the blanks around commas", () => {
  const text = fc.array(fc.constantFrom(" ", "\t", ",", "a", "b")).map((parts) => parts.join(""))
  fc.assert(
    fc.property(text, (text) => {
      expect(listed(text)).toEqual(text.split(/\s*,\s*/).filter((item) => item !== ""))
    }),
  )
})
