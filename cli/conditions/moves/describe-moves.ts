import { clauseName, type Term } from "../clause.ts"
import { shareClausesIn } from "../share-range.ts"
import { joinTerms, simplifyEach } from "../simplify.ts"
import { createSolvers, type Solver, type Solvers } from "../solver.ts"
import { createWork } from "../work.ts"
import { createDivide } from "./division.ts"
import { createFinish } from "./finish.ts"
import type { Group, UserSplit } from "./group.ts"
import type { Move } from "./moves.ts"
import type { Sides } from "./outcome.ts"
import { besideShares, canDivide, dividedByShares, type Part, type Splits } from "./part.ts"
import { createTermOf, withoutEarlier } from "./terms-of-moves.ts"
import { userSplitOf } from "./user-split.ts"

/** Steps for all groups of a flag in an environment. */
const steps = 1_000_000

/**
 * The maximum number of clauses in all terms together. For larger groups, only the conditions of the two outcomes are
 * given.
 */
const mostClauses = 20_000

/**
 * Who moves from which value to which. Moves become terms; terms with shares become splits; what is left is described as
 * shortly as the search can prove. Groups come by their two values, those that are in doubt after the others, and those of
 * contexts with lists or objects last.
 */
export function describeMoves(moves: readonly Move[], sides: Sides): readonly Group[] {
  const solvers = createSolvers(sides.scope, createWork(steps))
  const termOf = createTermOf(sides, moves)
  const changes = changesIn(moves, termOf, solvers.any, sides)
  const divisible = changes.filter(canDivide).flatMap(({ terms }) => terms)
  const divide = createDivide(divisible, sides, solvers.plain)
  const divided = changes.flatMap((part) => (canDivide(part) ? dividedByShares(part, divide) : [part]))
  const splits = splitsOf(divided, sides, solvers)
  const parts = divided.flatMap((part) =>
    !splits.get(part.division?.name)?.isKnown && canDivide(part) && !sides.isNew
      ? besideShares(part, divided, splits, { divide, solver: solvers.any })
      : [part],
  )
  return parts.map(createFinish({ parts, termOf, divide, splits, sides, solvers }))
}

/** The moves by their two values, in terms, in the order of the groups. */
function changesIn(
  moves: readonly Move[],
  termOf: (move: Move) => Term,
  solver: Solver,
  { isNew, scope }: Sides,
): readonly Part[] {
  const byValues = Map.groupBy(moves, ({ before, after, doubt }) =>
    JSON.stringify([before.value, after.value, doubt !== undefined]),
  )
  const rankOf = (alike: readonly Move[]) =>
    alike.every(({ isOnlyLists }) => isOnlyLists) ? 2 : alike[0]?.doubt !== undefined ? 1 : 0
  const changes = [...byValues.values()].toSorted((a, b) => rankOf(a) - rankOf(b))
  const inFull = withRoom(changes)
  return changes.flatMap((alike) => {
    const [move] = alike
    if (move === undefined) return []
    const { before, after, doubt } = move
    const isInFull = inFull.has(alike)
    const each = isInFull ? simplifyEach(alike.map(termOf), solver) : withoutEarlier(alike, scope.seed)
    const terms = isInFull && !isNew ? withSameShares(each, solver) : each
    return [{ before, after, moves: alike, doubt, isInFull, terms, division: undefined }]
  })
}

/** Joins the terms that have the same shares, so that one percentage is said of the users of several rules. */
function withSameShares(terms: readonly Term[], solver: Solver): readonly Term[] {
  const sharesOf = (term: Term) =>
    shareClausesIn(term)
      .map(({ clause }) => clauseName(clause))
      .sort()
      .join()
  return [...Map.groupBy(terms, sharesOf)].flatMap(([shares, alike]) =>
    shares === "" ? alike : joinTerms(alike, solver),
  )
}

/** Those that can be described in full, the small ones first. */
function withRoom(changes: readonly (readonly Move[])[]): ReadonlySet<readonly Move[]> {
  const sizeOf = (moves: readonly Move[]) =>
    moves.reduce((sum, { before, after }) => sum + before.at + after.at + 2, 0)
  let room = mostClauses
  const bySize = changes.toSorted((a, b) => sizeOf(a) - sizeOf(b))
  return new Set(
    bySize.filter((moves) => {
      room -= sizeOf(moves)
      return room >= 0
    }),
  )
}

function splitsOf(parts: readonly Part[], sides: Sides, { plain }: Solvers): Splits {
  const splits = new Map<string, UserSplit>()
  for (const alike of Map.groupBy(parts, ({ division }) => division?.name).values()) {
    const division = alike[0]?.division
    if (division === undefined) continue
    const terms = alike.flatMap(({ before, after, terms }) => terms.map((term) => ({ before, after, term })))
    const split = userSplitOf(terms, division, sides, plain)
    if (split !== undefined) splits.set(division.name, split)
  }
  return splits
}
