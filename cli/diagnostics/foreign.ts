/** A sentence of our own words and untrusted text (keys, attributes, values). No format may confuse the two. */
export type Phrase = readonly (string | Foreign)[]

/** An untrusted text. */
export interface Foreign {
  readonly foreign: string
  /** Whether it is never cut short, because a reader or a program needs all of it. */
  readonly isWhole?: boolean
}
