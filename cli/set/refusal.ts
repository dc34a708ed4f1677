/** Nothing is written. */
export interface Refusal {
  readonly kind: "refused"
  /** Why, and what to do instead. */
  readonly reason: string
}

export function refused(reason: string): Refusal {
  return { kind: "refused", reason }
}
