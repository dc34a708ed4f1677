import type { ScalarNode } from "./tree.ts"

const words: ReadonlyMap<string, ScalarNode["value"]> = new Map<string, ScalarNode["value"]>([
  ...["", "~", "null", "Null", "NULL"].map((word) => [word, null] as const),
  ...["true", "True", "TRUE"].map((word) => [word, true] as const),
  ...["false", "False", "FALSE"].map((word) => [word, false] as const),
  ...["", "+"].flatMap((sign) => [".inf", ".Inf", ".INF"].map((word) => [sign + word, Infinity] as const)),
  ...["-.inf", "-.Inf", "-.INF"].map((word) => [word, -Infinity] as const),
  ...[".nan", ".NaN", ".NAN"].map((word) => [word, Number.NaN] as const),
])
const number = /^(?:0o[0-7]+|0x[0-9a-fA-F]+|[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?)$/

/** The value of a text without quotes, by the core schema (YAML 1.2.2, section 10.3.2). */
export function resolvePlain(text: string): ScalarNode["value"] {
  const value = text.length > 5 ? undefined : words.get(text)
  if (value !== undefined) return value
  // A number begins with a sign, a point or a digit: all of them sort before the colon.
  return text.charCodeAt(0) < 0x3a && number.test(text) ? Number(text) : text
}
