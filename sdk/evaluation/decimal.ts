/** The form of a decimal number: no blanks, no plus, no hexadecimal. */
export const decimalGrammar = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** A number, the nearest to a BigInt, or the value of a string with a decimal number. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === "number") return value
  if (typeof value === "bigint") return Number(value)
  return typeof value === "string" && decimalGrammar.test(value) ? Number(value) : undefined
}
