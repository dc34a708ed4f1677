import type { Term } from "../../conditions/clause.ts"
import { rangesBetween } from "../../conditions/moves/share-ends.ts"
import { seedName, shareClausesIn, shareOf, sharesIn } from "../../conditions/share-range.ts"
import { phrase } from "../../diagnostics/phrase.ts"
import type { Rule } from "../../language/flag.ts"
import { userWords } from "../../phrases/users.ts"
import type { TransitionWithEffects } from "../effects/compared-flag.ts"
import type { Effect } from "../effects/effect.ts"
import {
  type AnyMove,
  adviceFor,
  type Compared,
  type GateWarning,
  locationOfMoves,
  manyWords,
} from "./gate-warning.ts"

/** That a share of the users of a condition is added or removed, and many of these users are outside it. */
export function stepOf({ group }: Effect, compared: Compared): readonly GateWarning[] {
  const { pair, transition, manyChange } = compared
  const { users: terms = [], moves = [], doubt } = group ?? {}
  const [term = [], ...others] = terms
  const rest = term.filter(({ condition }) => shareOf(condition) === undefined)
  const size = sizeOfShares(term)
  if (doubt !== undefined || others.length > 0 || rest.length === 0 || rest.length === term.length) return []
  if (size < manyChange || !isOtherShare(transition, moves)) return []
  const users = phrase`users${userWords(rest).whom}`
  const words = manyWords(users, size, compared, adviceFor(moves, [], transition))
  return [{ code: "many-change", words, ...locationOfMoves(pair, transition, moves) }]
}

/** Whether the rule that users leave or reach had shares on one side alone. */
function isOtherShare({ match }: TransitionWithEffects, moves: readonly AnyMove[]): boolean {
  const pairs = match?.pairs.filter((pair) => hasShare(pair.before) !== hasShare(pair.after))
  return moves.some(({ before, after }) =>
    pairs?.some((pair) => pair.before === before.rule || pair.after === after.rule),
  )
}

function hasShare({ condition }: Rule): boolean {
  return sharesIn(condition).length > 0
}

/** How many percent of users are in the shares of a term. */
function sizeOfShares(term: Term): number {
  const shares = shareClausesIn(term).map(({ clause: { holds }, share }) => ({ ...share, holds }))
  return [...Map.groupBy(shares, seedName).values()].reduce((size, ofSeed) => {
    const met = rangesBetween(ofSeed.flatMap(({ from, to }) => [from, to])).filter(({ from, to }) =>
      ofSeed.every((share) => share.holds === (share.from <= from && to <= share.to)),
    )
    return (size * met.reduce((sum, { from, to }) => sum + to - from, 0)) / 100
  }, 100)
}
