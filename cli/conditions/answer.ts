/** The result of a search: found, certainly none, or unknown. */
export type Answer<T> =
  | { readonly kind: "found"; readonly value: T }
  | { readonly kind: "none" }
  | { readonly kind: "unknown"; readonly because: Doubt }

/**
 * Why an answer is not known. `expression`: it depends on a regular expression. `operator`: on one of the
 * project's own operators. `mixture`: one attribute is compared in several ways at once. `bound`: the search was given up.
 */
export type Doubt = "expression" | "operator" | "mixture" | "bound"

export const none = { kind: "none" } as const

export function found<T>(value: T): Answer<T> {
  return { kind: "found", value }
}

export function unknown(because: Doubt): { readonly kind: "unknown"; readonly because: Doubt } {
  return { kind: "unknown", because }
}
