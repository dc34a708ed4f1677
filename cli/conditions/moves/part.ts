import type { Doubt } from "../answer.ts"
import type { Term } from "../clause.ts"
import { complement } from "../context-set.ts"
import { mergeLists } from "../merge-lists.ts"
import { simplifyEach } from "../simplify.ts"
import type { Solver } from "../solver.ts"
import type { Divide, Division } from "./division.ts"
import type { UserSplit } from "./group.ts"
import type { Move } from "./moves.ts"
import type { Outcome } from "./outcome.ts"

/** Users with one value before and one after, whom shares divide in one way or not at all. */
export interface Part {
  readonly before: Outcome
  readonly after: Outcome
  readonly moves: readonly Move[]
  readonly doubt: Doubt | undefined
  /** Whether the terms are all that the users fulfil. */
  readonly isInFull: boolean
  readonly terms: readonly Term[]
  readonly division: Division | undefined
}

/** Splits by the names of their divisions. */
export type Splits = ReadonlyMap<string | undefined, UserSplit>

/** Whether shares may divide the users of a part. */
export function canDivide({ isInFull, doubt }: Part): boolean {
  return isInFull && doubt === undefined
}

/** The users whom shares pick apart from the others. */
export function dividedByShares(part: Part, divide: Divide): readonly Part[] {
  const isOfShares = (term: Term) => divide(term)?.isOfShares === true
  const others = part.terms.filter((term) => !isOfShares(term))
  const divided = mergeLists(part.terms.filter(isOfShares))
  return [...(others.length > 0 ? [{ ...part, terms: others }] : []), ...byDivision(part, divided, divide)]
}

/** A sentence about shares covers everyone who has the attribute, so only the others of a part need a separate one. */
export function besideShares(
  part: Part,
  divided: readonly Part[],
  splits: Splits,
  { divide, solver }: { readonly divide: Divide; readonly solver: Solver },
): readonly Part[] {
  const divisions = new Map<Term, Division>()
  const covering = divided.flatMap(({ division }) => {
    const split = splits.get(division?.name)
    return division && split?.isKnown && split.coversOthers ? [{ division, who: split.who }] : []
  })
  /** A term in pieces, each covered by one sentence about shares; empty if the sentences leave out some of its users. */
  const piecesOf = (term: Term) => {
    const set = solver.unionOf([term])
    const within = covering.filter(({ who }) => !solver.isEmpty(set, solver.unionOf([who])))
    const others = within.map(({ who }) => complement(solver.unionOf([who])))
    if (within.length === 0 || !solver.isEmpty(set, ...others)) return []
    return within.map(({ division, who }) => ({ piece: [...term, ...who], division }))
  }
  const terms = part.terms.flatMap((term): readonly Term[] => {
    const whole = covering.find(({ who }) =>
      solver.isEmpty(solver.unionOf([term]), complement(solver.unionOf([who]))),
    )
    const division = whole?.division ?? divide(term)
    const split = splits.get(division?.name)
    if (division === undefined || !split?.isKnown) {
      const pieces = piecesOf(term)
      for (const { piece, division } of pieces) divisions.set(piece, division)
      return pieces.length > 0 ? pieces.map(({ piece }) => piece) : [term]
    }
    if (split.coversOthers) divisions.set(term, division)
    return [term]
  })
  return byDivision(part, terms, (term) => divisions.get(term)).map((beside) => {
    return { ...beside, terms: simplifyEach(beside.terms, solver) }
  })
}

function byDivision(part: Part, terms: readonly Term[], divisionOf: Divide): readonly Part[] {
  const divided = terms.map((term) => ({ term, division: divisionOf(term) }))
  return [...Map.groupBy(divided, ({ division }) => division?.name).values()].map((alike) => {
    return { ...part, terms: alike.map(({ term }) => term), division: alike[0]?.division }
  })
}
