import { type Phrase, phrase } from "../../diagnostics/phrase.ts"
import type { Effect } from "../effects/effect.ts"

/**
 * What a change reaches. `none`: no snapshot. `definition`: a snapshot, but not what flags evaluate to. `behaviour`:
 * a user may get a different value.
 */
export type Impact = "none" | "definition" | "behaviour"

/** What a difference does. */
export interface Classification {
  readonly impact: Impact
  /** Empty unless the impact is `behaviour`. */
  readonly effects: readonly Effect[]
  /** Why no one gets a different value, unless that is obvious. */
  readonly reason?: Phrase
}

/** For what is in no snapshot. */
export const inNoSnapshot: Classification = { impact: "none", effects: [] }

/** Classifies a change of a snapshot by its effects. `reason` says why it has none. */
export function classified(effects: readonly Effect[], reason?: Phrase): Classification {
  if (effects.length > 0) return { impact: "behaviour", effects }
  return { impact: "definition", effects, ...(reason === undefined ? {} : { reason }) }
}

export const inNewEnvironment = classified([], phrase`no client reads a new environment yet`)
