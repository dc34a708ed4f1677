import type { Context } from "../../../sdk/evaluation/evaluation.ts"
import type { Doubt } from "../answer.ts"
import { type PossibleChange, type ValueChange, valueChanges } from "../value-changes.ts"
import type { Outcome } from "./outcome.ts"

/** Users who get a different value, because a different outcome decides for them. */
export interface Move {
  readonly before: Outcome
  readonly after: Outcome
  /** One of them; `undefined`: it is not known whether there is one. */
  readonly witness: Context | undefined
  /** Why it is not known. */
  readonly doubt: Doubt | undefined
  /** Whether they all have an attribute that is a list or an object. */
  readonly isOnlyLists: boolean
}

/** Everyone who gets a different value. */
export interface Moves {
  readonly moves: readonly Move[]
  /** Whether the search was given up, so that others may get a different value too. */
  readonly isCutShort: boolean
}

/** Returns who gets a different value when one list of outcomes becomes another. */
export function movesBetween(before: readonly Outcome[], after: readonly Outcome[]): Moves {
  const { changes, possible, isCutShort } = valueChanges(before, after)
  // A witness has a list or an object only if no plain one was found: if all are plain, no move is for lists only.
  const plain = changes.every(({ witness }) => isPlain(witness))
    ? undefined
    : valueChanges(before, after, "plain")
  const moves = [...changes, ...possible]
    .sort((a, b) => a.after - b.after || a.before - b.before)
    .flatMap((change): readonly Move[] => {
      const [from, to] = [before[change.before], after[change.after]]
      if (from === undefined || to === undefined) return []
      const move = { before: from, after: to, witness: undefined, doubt: undefined, isOnlyLists: false }
      if ("because" in change) return [{ ...move, doubt: change.because }]
      const isIt = ({ before, after }: ValueChange | PossibleChange) =>
        before === change.before && after === change.after
      const { witness } = plain?.changes.find(isIt) ?? change
      const isOnlyLists = plain?.isCutShort === false && ![...plain.changes, ...plain.possible].some(isIt)
      return [{ ...move, witness, isOnlyLists }]
    })
  return { moves, isCutShort }
}

/** Whether a context has neither lists nor objects; a Date is a scalar. */
export function isPlain(context: Context): boolean {
  return Object.values(context).every((value) => typeof value !== "object" || value instanceof Date)
}
