import type { Condition as Encoded } from "../../../sdk/evaluation/condition.ts"
import type { Context } from "../../../sdk/evaluation/evaluation.ts"
import type { Doubt } from "../answer.ts"
import type { Term } from "../clause.ts"
import type { ShareSeed } from "../share-range.ts"
import type { Move } from "./moves.ts"
import type { Outcome } from "./outcome.ts"

/** The contexts that got one value and now get another. */
export interface Group {
  /** Outcomes with the two values; `before` is `undefined` if the flag is new. */
  readonly before: Outcome | undefined
  readonly after: Outcome
  /**
   * The users among these contexts, whose attributes have one value each: those who fulfil at least one term. Empty if all
   * of the contexts have a list or an object.
   */
  readonly users: readonly Term[]
  /** What these contexts match, and no others unless there is doubt: then others may match it, or no one does. */
  readonly condition: Encoded
  readonly doubt: Doubt | undefined
  /** One of the contexts; `undefined` if there is doubt. */
  readonly witness: Context | undefined
  /** Who moves between which rules. */
  readonly moves: readonly Move[]
  /** The percentage or split whose sentence includes them. */
  readonly split?: UserSplit | undefined
}

/**
 * How shares split the users of a term who have the attribute, before and after. Values are strings that are equal for
 * equal values, whatever gives them.
 */
export interface UserSplit {
  /** At least one; the last one is the one whose shares change. */
  readonly by: readonly ShareSeed[]
  /** The seed that the last one took the place of. */
  readonly instead: ShareSeed | undefined
  /** The users that shares are taken from: everyone if it is empty. */
  readonly who: Term
  /** All users of the term who have the attribute, or all attributes. */
  readonly shares: readonly SplitShare[]
  /** The values that shares give. */
  readonly armsBefore: ReadonlySet<string>
  readonly armsAfter: ReadonlySet<string>
  /** What users get whom no share picks; `undefined`: several values, or the flag is new. */
  readonly restBefore: string | undefined
  readonly restAfter: string | undefined
  /** What users get who lack an attribute; `undefined`: there are none, or that is not one value, or not known. */
  readonly others: { readonly before: string | undefined; readonly after: string | undefined }
  /** Whether what each share gets is known. */
  readonly isKnown: boolean
  /** Whether it is also known what users get who lack the attribute. */
  readonly coversOthers: boolean
  /** Whether the value changes for users who have some of several attributes, but not all. */
  readonly isPartial: boolean
}

/** Users with one value before and one after, in percent; `before` is `undefined` if the flag is new. */
export interface SplitShare {
  readonly size: number
  /** Which range of the last seed, from 0. */
  readonly range: number
  readonly before: string | undefined
  readonly after: string
  /** Whether an arm of an experiment in front of the last seed gave the value before. */
  readonly isArm: boolean
}
