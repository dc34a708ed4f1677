/** What a decimal number looks like; no blanks, no plus, no hexadecimal. */
export const decimalGrammar = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** A number, or the number that a text says in decimal. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === "number") return value
  return typeof value === "string" && decimalGrammar.test(value) ? Number(value) : undefined
}
