/** What is wrong with a source, or with what was made from it. */
export interface Fault {
  /** `broken`: only a different file helps. `unavailable`: it may be temporary, so trying again may help. */
  readonly kind: "broken" | "unavailable"
  /** Says what is wrong and how to fix it; never holds a secret. */
  readonly message: string
}

export type Result<T> = { readonly kind: "good"; readonly value: T } | Fault

export function good<T>(value: T): { readonly kind: "good"; readonly value: T } {
  return { kind: "good", value }
}

export function broken(message: string): Fault {
  return { kind: "broken", message }
}

export function unavailable(message: string): Fault {
  return { kind: "unavailable", message }
}
