import { expect, test } from "vitest"
import { createReport } from "../../../cli/diagnostics/diagnostic.ts"
import { parseSource } from "../../../cli/yaml/parse.ts"

/** The value of `a`, and the part of the text that it takes. */
function scalarIn(text: string) {
  const root = parseSource({ path: "/x.yaml", text }, createReport())?.root
  const value = root?.kind === "mapping" ? root.members[0]?.value : undefined
  if (value?.kind !== "scalar") throw new Error(`no scalar in ${text}`)
  return { value: value.value, written: text.slice(value.start, value.end), plain: value.plain }
}

test.each([
  ...["", "~", "null", "Null", "NULL"].map((text) => [text, null] as const),
  ...["true", "True", "TRUE"].map((text) => [text, true] as const),
  ...["false", "False", "FALSE"].map((text) => [text, false] as const),
  ...[".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"].map((text) => [text, Infinity] as const),
  ...["-.inf", "-.Inf", "-.INF"].map((text) => [text, -Infinity] as const),
  ...[".nan", ".NaN", ".NAN"].map((text) => [text, Number.NaN] as const),
  ["0", 0],
  ["007", 7],
  ["+1", 1],
  ["-1.50", -1.5],
  [".5", 0.5],
  ["1.", 1],
  ["1e3", 1000],
  ["1.5E-1", 0.15],
  ["0x1F", 31],
  ["0o17", 15],
] as const)("%s is %s", (text, value) =>
  expect(scalarIn(`a: ${text}\n`)).toEqual({ value, written: text, plain: true }),
)

test.each([
  "tRUE",
  "nUll",
  "yes",
  "Off",
  ".iNF",
  "-.nan",
  "inf",
  "0b1",
  "0o8",
  "0xG",
  "+0x1",
  "1_000",
  "1e",
  ".",
  "-x",
  "1.2.3",
])("%s is text", (text) =>
  expect(scalarIn(`a: ${text}\n`)).toEqual({ value: text, written: text, plain: true }),
)

test.each([
  ["'true'", "true", "'true'"],
  ['"1\\n"', "1\n", '"1\\n"'],
  ["|\n  x\n  y\n\nb: 1", "x\ny\n", "|\n  x\n  y"],
  [">- # c\n  x\n  y\nb: 1", "x y", ">- # c\n  x\n  y"],
  ["|\n\n# c\nb: 1", "", "|"],
  ["&b 'x' # c\nb: *b", "x", "'x'"],
  ["# c\n  x # d", "x", "x"],
  ["&b   # c\nb: *b", null, ""],
])("the value of %j is %j, written %j", (text, value, written) =>
  expect(scalarIn(`a: ${text}\n`)).toMatchObject({ value, written }),
)
