const decimal = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** A number, or the number that a text says in decimal; no blanks, no plus, no hexadecimal. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === "number") return value
  return typeof value === "string" && decimal.test(value) ? Number(value) : undefined
}
