import type { Context } from "../../../sdk/evaluation/evaluation.ts"
import type { Doubt } from "../../conditions/answer.ts"
import { valueChanges } from "../../conditions/value-changes.ts"
import type { Outcome } from "./outcomes.ts"

/** People who get another value, because another outcome decides for them. */
export interface Move {
  /** `undefined`: the flag is new. */
  readonly before: Outcome | undefined
  readonly after: Outcome
  /** One of them; `undefined`: it is not known whether there is anybody. */
  readonly witness: Context | undefined
  /** Why it is not known. */
  readonly doubt: Doubt | undefined
  /** Whether they all have an attribute that is a list or an object. */
  readonly isOnlyLists: boolean
}

/** Everybody who gets another value. */
export interface Moves {
  readonly moves: readonly Move[]
  /** Whether the search was given up, so that others may get another value, too. */
  readonly isCutShort: boolean
}

/** Says who gets another value where one list of outcomes becomes another. */
export function movesBetween(before: readonly Outcome[], after: readonly Outcome[]): Moves {
  const { changes, possible, isCutShort } = valueChanges(before, after)
  // A witness has a list or an object only if no plain one was found: if all are plain, no move is for lists only.
  const plain = changes.every(({ witness }) => isPlain(witness))
    ? undefined
    : valueChanges(before, after, "plain")
  const pairs = [
    ...changes.map((change) => {
      const simple = plain?.changes.find((one) => one.before === change.before && one.after === change.after)
      const maybe = plain?.possible.some((one) => one.before === change.before && one.after === change.after)
      const isOnlyLists = plain?.isCutShort === false && simple === undefined && maybe === false
      return { ...change, ...simple, doubt: undefined, isOnlyLists }
    }),
    ...possible.map((change) => ({
      ...change,
      witness: undefined,
      doubt: change.because,
      isOnlyLists: false,
    })),
  ]
  const moves = pairs
    .sort((a, b) => a.after - b.after || a.before - b.before)
    .flatMap(({ before: from, after: to, witness, doubt, isOnlyLists }): readonly Move[] => {
      const [one, other] = [before[from], after[to]]
      if (one === undefined || other === undefined) return []
      return [{ before: one, after: other, witness, doubt, isOnlyLists }]
    })
  return { moves, isCutShort }
}

/** Whether a context has neither lists nor objects; a Date is a scalar. */
function isPlain(context: Context): boolean {
  return Object.values(context).every((value) => typeof value !== "object" || value instanceof Date)
}
