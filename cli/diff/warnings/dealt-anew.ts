import type { Move } from "../../conditions/moves/moves.ts"
import type { Outcome } from "../../conditions/moves/outcome.ts"
import { sharesIn } from "../../conditions/share-range.ts"
import { phrase } from "../../diagnostics/phrase.ts"
import { percentOf } from "../../phrases/divided-users.ts"
import { genericUsers } from "../effects/generic-users.ts"
import { genericShares, movedGeneric } from "../transitions/generic-users.ts"
import { type Compared, defaultsIn, type GateWarning, locationOfMoves } from "./gate-warning.ts"
import { mayBePlain } from "./places.ts"

/**
 * That users of a running experiment go from one of its arms to another, or to a share in front of it, which spoils its results,
 * also if one of the values is the default. A split that only gives `true` or `false` is a rollout.
 */
export function dealtAnew({ pair, transition }: Compared): readonly GateWarning[] {
  const { before, after, moves } = transition
  const [defaultBefore = ""] = defaultsIn(pair)
  const had = armsIn(before)
  const has = armsIn(after)
  const isDealtAnew = (move: Pick<Move, "before" | "after">) =>
    isArm(move.before) &&
    (isArm(move.after) || sharesIn(move.after.condition).length > 0) &&
    move.before.value !== move.after.value &&
    isExperiment(move.before, before, defaultBefore) &&
    (had.has(move.after.value) || has.has(move.before.value)) // or else a value only takes another's place
  const moved = moves.filter((move) => mayBePlain(move) && isDealtAnew(move))
  if (moved.length === 0) return []
  const shares = genericShares(before, after).filter(isDealtAnew)
  const { sum } = movedGeneric(shares)
  const users = sum === 0 ? ["users"] : percentOf(sum, genericUsers(shares, transition))
  const words = phrase`${users} go from one arm of an experiment to another. Keep its shares while it runs, or check that this is intended.`
  return [{ code: "users-rebucketed", words, ...locationOfMoves(pair, transition, moved) }]
}

function isArm({ rule }: Outcome): boolean {
  return rule?.item.split !== undefined
}

function armsIn(outcomes: readonly Outcome[]): ReadonlySet<string> {
  return new Set(outcomes.filter(isArm).map(({ value }) => value))
}

/** Whether the split of an arm gives more than a boolean or the default and one value that no arm competes with. */
function isExperiment({ rule }: Outcome, outcomes: readonly Outcome[], ofRest: string): boolean {
  const arms = outcomes.filter((outcome) => outcome.rule?.item === rule?.item)
  const values = new Set([ofRest, ...arms.map(({ value }) => value)])
  return values.size > 2 || arms.some(({ gives }) => typeof gives !== "boolean")
}
