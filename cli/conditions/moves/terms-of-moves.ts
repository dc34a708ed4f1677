import { isAlways } from "../../language/condition.ts"
import { type Clause, clauseName, encodeTerms, type Term } from "../clause.ts"
import { isNothing } from "../context-set.ts"
import { distinct } from "../flatten.ts"
import { mergeLists } from "../merge-lists.ts"
import { sharesIn } from "../share-range.ts"
import type { Move } from "./moves.ts"
import type { Outcome, Sides } from "./outcome.ts"

/** Returns what the contexts of a move match: both outcomes, and none of the rules before them. */
export function createTermOf(sides: Sides, moves: readonly Move[]): (move: Move) => Term {
  const numbers = numbersOf(sides, moves)
  const excluded = (outcome: Outcome): readonly Clause[] => {
    // A rule that cannot be read matches no one, and neither does a group with its condition.
    if (isAlways(outcome.condition) || isNothing(outcome.contexts)) return []
    const rule = numbers.get(outcome)
    return [{ condition: outcome.condition, holds: false, ...(rule !== undefined && { rule }) }]
  }
  return ({ before, after }) => {
    const earlier = [...sides.before.slice(0, before.at), ...sides.after.slice(0, after.at)]
    return distinct([...deciding({ before, after }), ...earlier.flatMap(excluded)])
  }
}

/**
 * The numbers of the rules that are the same on both sides and come before each move on both, or on neither. A rule with
 * shares is described by them instead.
 */
function numbersOf({ before, after, isNew }: Sides, moves: readonly Move[]): ReadonlyMap<Outcome, number> {
  const nameOf = ({ name, value }: Outcome) => `${value} ${name}`
  const partners = new Map(before.map((outcome) => [nameOf(outcome), outcome]))
  const numbers = new Map<Outcome, number>()
  for (const outcome of after) {
    const partner = isNew ? outcome : partners.get(nameOf(outcome))
    const { rule, condition } = outcome
    if (rule === undefined || partner === undefined || sharesIn(condition).length > 0) continue
    if (isNew || moves.every((move) => partner.at < move.before.at === outcome.at < move.after.at)) {
      numbers.set(partner, rule.number)
      numbers.set(outcome, rule.number)
    }
  }
  return numbers
}

/** The conditions of the outcomes of moves; of many, only what they have in common, which covers more users than move. */
export function withoutEarlier(moves: readonly Move[], key: string): readonly Term[] {
  const terms = mergeLists(moves.map(deciding))
  return encodeTerms(terms, key) === undefined ? [commonTerm(terms)] : terms
}

/** The clauses that all terms have. */
export function commonTerm(terms: readonly Term[]): Term {
  const [first = [], ...others] = terms
  const names = others.map((term) => new Set(term.map(clauseName)))
  return first.filter((clause) => names.every((known) => known.has(clauseName(clause))))
}

/** That both outcomes match. */
function deciding({ before, after }: Pick<Move, "before" | "after">): Term {
  return [before, after].flatMap(({ condition }) => (isAlways(condition) ? [] : [{ condition, holds: true }]))
}
