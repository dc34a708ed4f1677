import type { Group } from "../../conditions/moves/group.ts"
import type { Phrase } from "../../diagnostics/phrase.ts"

/** Who gets a different value: a whole sentence without its full stop. */
export interface Effect {
  readonly environment: string
  readonly who: Phrase
  /**
   * The subject of that sentence; for a percentage or a split, all users whom it divides. Absent if only contexts with a
   * list or an object are affected.
   */
  readonly users?: Phrase | undefined
  /** When contexts must have their time, in milliseconds since the epoch; `null`: they have none. Absent: at any time, or without one. */
  readonly time?: { readonly from: number; readonly until: number | undefined } | null
  /** The users; absent if it is about clients that ask for the flag, or if the search was given up. */
  readonly group?: Group
}
