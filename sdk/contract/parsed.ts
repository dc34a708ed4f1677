/** The result of a `parse…` function for outside input: a value that can be trusted, or the reason why not. */
export type Parsed<T> =
  | { readonly kind: "valid"; readonly value: T }
  | { readonly kind: "invalid"; readonly reason: string }

export function invalid(reason: string): Parsed<never> {
  return { kind: "invalid", reason }
}

/** Whether a JSON value is an object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
