import type { Condition } from "../../../sdk/evaluation/condition.ts"
import type { Context } from "../../../sdk/evaluation/evaluation.ts"
import type { Doubt } from "../../conditions/answer.ts"
import type { Term } from "../../conditions/clause.ts"
import type { Phrase } from "../../phrases/phrase.ts"
import type { SplitUsers } from "../../phrases/user-split-words.ts"
import type { Move } from "../transitions/moves.ts"
import type { Outcome } from "../transitions/outcomes.ts"

/** Who gets a different value: a whole sentence without its full stop. */
export interface Effect {
  readonly environment: string
  readonly who: Phrase
  /**
   * The subject of that sentence; for a percentage or a split, all users whom it divides. Absent if only contexts with a
   * list or an object are affected.
   */
  readonly users?: Phrase | undefined
  /** The users; absent if it is about clients that ask for the flag, or if the search was given up. */
  readonly group?: Group
}

/** The contexts that got one value and now get another. */
export interface Group {
  /** Outcomes with the two values; `before` is `undefined` if the flag is new. */
  readonly before: Outcome | undefined
  readonly after: Outcome
  /** What these contexts match, and no others unless there is doubt: then others may match it, or no one does. */
  readonly condition: Condition
  /** The same as terms, at least one of which is true. */
  readonly terms: readonly Term[]
  readonly doubt: Doubt | undefined
  /** One of the contexts; `undefined` if there is doubt. */
  readonly witness: Context | undefined
  /** Who moves between which rules. */
  readonly moves: readonly Move[]
  /** The percentage or split whose sentence includes them. */
  readonly split?: UserSplit | undefined
}

/** How shares split the users of a condition, before and after. */
export interface UserSplit extends SplitUsers {
  /** The users that shares are taken from: everyone if it is empty. */
  readonly rest: Term
  /** Whether what each share gets is known. */
  readonly isKnown: boolean
  /** Whether it is also known what users get who lack the attribute. */
  readonly coversOthers: boolean
}
