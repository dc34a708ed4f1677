import type { Phrase } from "../../phrases/phrase.ts"
import type { Move } from "../transitions/moves.ts"

/** Who gets another value: a whole sentence without its full stop. */
export interface Effect {
  readonly environment: string
  readonly who: Phrase
  /** The people; empty where it is about clients that ask for the flag, or for all flags. */
  readonly moves: readonly Move[]
}
