import fc from "fast-check"
import { expect, test } from "vitest"
import { parse } from "yaml"
import { createReport } from "../../../cli/diagnostics/diagnostic.ts"
import { yamlLine } from "../../../cli/diagnostics/yaml-line.ts"
import { memberOf, toValue } from "../../../cli/language/tree.ts"
import { parseSource } from "../../../cli/yaml/parse.ts"
import type { Json } from "../../../sdk/contract/snapshot.ts"
import { anyText } from "../../any-text.ts"

/** What we read, or the first mistake. */
function read(text: string): unknown {
  const report = createReport()
  const file = parseSource({ path: "a.yaml", text }, report)
  const [mistake] = report.diagnostics
  if (mistake !== undefined || file?.root.kind !== "mapping") return mistake?.message
  const value = memberOf(file.root, "value")?.value
  return value && toValue(value)
}

const odd = [
  ..."yes No null ~ 1 1e3 e0 0x1F .inf 2026-01-01 12:30:45 << = - #x a: { ] a,b &x *x !x | %x @x --- __proto__".split(
    " ",
  ),
  ...["", "- a", "a #b", "a: b", '"q"', "'s'", " lead", "a\tb", "? x", "\\u0041", "é", "😀", "\u{e0041}"],
  ...["a\nb", "a\rb", "a\u0085b", "a\u2028b", "\ufeff", "\u0000", "\u001b[31m"],
  ...["a".repeat(200), `${"a ".repeat(100)}b`],
]
// YAML cannot express half of a character.
const text = fc.oneof(
  fc.constantFrom(...odd),
  anyText().filter((one) => one.isWellFormed()),
  fc.string(),
)
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.oneof(fc.constantFrom(null, true, false, -1.5), fc.integer()),
    fc.array(tie("value"), { maxLength: 3 }),
    fc
      .uniqueArray(fc.tuple(text, tie("value")), { maxLength: 3, selector: ([name]) => name })
      .map((members) => Object.fromEntries(members)),
  ),
}))

test("a value is one line, and read as that value by us, by YAML 1.2 and by YAML 1.1", () => {
  const holds = (one: Json) => {
    const line = yamlLine(one)
    expect(line).not.toMatch(/[\r\n\u0085\u2028\u2029]/)
    for (const written of [line, `{ within: [${line}] }`]) {
      const wanted = written === line ? one : { within: [one] }
      expect(read(`value: ${written}\n`)).toEqual(wanted)
      for (const version of ["1.1", "1.2"] as const) expect(parse(written, { version })).toEqual(wanted)
    }
  }
  for (const one of odd) {
    holds(one)
    holds({ [one]: one })
  }
  fc.assert(fc.property(value, holds))
})

test("a character that no one sees is escaped in its short form", () => {
  expect(yamlLine("a\u202e\u{e0041}")).toBe('"a\\u202e\\U000e0041"')
})

test("what authors write without quotes has none", () => {
  expect(
    yamlLine({ environment: "production", context: { email: "@shop.example", plan: "pro" }, ids: [] }),
  ).toBe('{ environment: production, context: { email: "@shop.example", plan: pro }, ids: [] }')
})
