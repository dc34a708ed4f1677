/** The form of a decimal number: no blanks, no plus, no hexadecimal. */
export const decimalGrammar = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** A number, or the value of a string with a decimal number. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === "number") return value
  return typeof value === "string" && decimalGrammar.test(value) ? Number(value) : undefined
}
