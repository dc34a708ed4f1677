import type { Phrase } from "../../phrases/phrase.ts"
import type { Difference } from "../differences/difference.ts"
import type { Effect } from "../effects/effect.ts"

/**
 * What a change reaches. `none`: no snapshot. `definition`: a snapshot, but not what flags evaluate to. `behaviour`:
 * somebody may get another value.
 */
export type Impact = "none" | "definition" | "behaviour"

/** What a difference does. */
export interface Classification {
  readonly impact: Impact
  /** Empty unless the impact is `behaviour`. */
  readonly effects: readonly Effect[]
  /** Why nobody gets another value, where that is not obvious. */
  readonly reason?: Phrase
}

/** A difference and what it does. */
export type Change = Difference &
  Classification & {
    /** Absolute path of the flag's file or the project file: the one after the change, if there is one. */
    readonly file: string
    /** The flag's owner; `undefined` where none is written, and for the project file. */
    readonly owner: string | undefined
  }

/** An environment of either side; protected if either side protects it. */
export interface DiffEnvironment {
  readonly name: string
  readonly protected: boolean
}

/** Whether the diff covers an environment. */
export type Scope = (environment: string) => boolean
