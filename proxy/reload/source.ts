/** Something outside that the proxy holds a copy of and looks at again and again. */
export interface Source<T> {
  /** Names the source in log lines and messages; never holds a secret. */
  readonly location: string
  /**
   * Looks for something new, cheaply, because it is asked at every poll; `force` reads it whatever it seems. Throws an
   * error that says what is wrong and how to fix it, and then looks no more until there is a reason to hope.
   */
  look(force: boolean): Promise<Sighting<T>>
}

/**
 * `same`: it is what was read last, and that was good. `waiting`: it is not worth reading yet, because it may still be
 * being written, or was broken when last read.
 */
export type Sighting<T> =
  | { readonly kind: "same" }
  | { readonly kind: "waiting" }
  | { readonly kind: "found"; readonly value: T }
