/**
 * What is wrong with something from outside. `broken`: it needs another file. `unavailable`: it may pass by itself, so it
 * is worth trying again.
 */
export interface Fault {
  readonly kind: "broken" | "unavailable"
  /** Says what is wrong and how to fix it; never holds a secret. */
  readonly message: string
}

export type Result<T> = Good<T> | Fault

export interface Good<T> {
  readonly kind: "good"
  readonly value: T
}

export function good<T>(value: T): Good<T> {
  return { kind: "good", value }
}

export function broken(message: string): Fault {
  return { kind: "broken", message }
}

export function unavailable(message: string): Fault {
  return { kind: "unavailable", message }
}

/** Whether any of these is worth trying again. */
export function mayPass(faults: Iterable<Fault>): boolean {
  return [...faults].some(({ kind }) => kind === "unavailable")
}
