import { conditionOf, type Term } from "../../conditions/clause.ts"
import { attributeShare, seedName, sharesIn } from "../../conditions/share-range.ts"
import { phrase } from "../../phrases/phrase.ts"
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
export function stepOf(
  { group }: Effect,
  { pair, transition, manyChange }: Compared,
): readonly GateWarning[] {
  const { terms = [], moves = [], doubt } = group ?? {}
  const [term = [], ...others] = terms
  const rest = term.filter(({ condition }) => attributeShare(condition) === undefined)
  const size = sizeOfShares(term)
  const who = conditionOf([rest])
  if (doubt !== undefined || others.length > 0 || rest.length === 0 || rest.length === term.length) return []
  if (size < manyChange || who === undefined || !isOtherShare(transition, moves)) return []
  const users = phrase`users${userWords(who, transition.namesFor(moves)).whom}`
  const words = manyWords(users, size, manyChange, adviceFor(moves, []))
  return [{ code: "many-change", words, ...locationOfMoves(pair, transition, moves) }]
}

/** Whether the rule that users leave or reach had shares on one side alone. */
function isOtherShare({ match }: TransitionWithEffects, moves: readonly AnyMove[]): boolean {
  const pairs = match?.pairs.filter(
    (pair) => sharesIn(pair.before).length > 0 !== sharesIn(pair.after).length > 0,
  )
  return moves.some(({ before, after }) =>
    pairs?.some((pair) => pair.before === before.rule || pair.after === after.rule),
  )
}

/** How many percent of users are in the shares of a term. */
function sizeOfShares(term: Term): number {
  const shares = term.flatMap(({ condition, holds }) => {
    const share = attributeShare(condition)
    return share === undefined ? [] : [{ ...share, holds }]
  })
  const bySeed = Map.groupBy(shares, seedName)
  return [...bySeed.values()].reduce((size, own) => {
    const ends = [...new Set([0, ...own.flatMap(({ from, to }) => [from, to]), 100])].sort((a, b) => a - b)
    const met = ends.slice(1).map((to, at) => {
      const from = ends[at] ?? 0
      return own.every((share) => share.holds === (share.from <= from && to <= share.to)) ? to - from : 0
    })
    return (size * met.reduce((sum, part) => sum + part, 0)) / 100
  }, 100)
}
