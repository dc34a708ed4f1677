/** A sentence of our own words and untrusted text (keys, attributes, values). No format may confuse the two. */
export type Phrase = readonly (string | Foreign)[]

/** An untrusted text. */
export interface Foreign {
  readonly foreign: string
  /**
   * `whole`: it is never cut short, because a reader or a program needs all of it. `sentence`: neither is it, and it has code
   * marks of its own, so that plain text adds none. `undefined`: it is cut short.
   */
  readonly as?: "whole" | "sentence"
}
