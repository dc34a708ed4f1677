import type { Context } from "../../sdk/evaluation/evaluation.ts"
import type { Answer } from "./answer.ts"
import { type Clause, createMeets, createSets, type Term } from "./clause.ts"
import { type ContextSet, intersection, union } from "./context-set.ts"
import type { SetScope } from "./predicate.ts"
import type { Shapes } from "./value.ts"
import { findContext, isIn } from "./witness.ts"
import type { Work } from "./work.ts"

/** Answers questions about the conditions of one flag. Once its work is spent, nothing is proven any more. */
export interface Solver {
  /** The contexts of a clause. */
  readonly setOf: (clause: Clause) => ContextSet
  /** The contexts of at least one term. */
  readonly unionOf: (terms: readonly Term[]) => ContextSet
  /** Whether sets certainly have no context in common. */
  readonly isEmpty: (...sets: readonly ContextSet[]) => boolean
  /**
   * Whether clauses certainly leave no one in another clause. Those that share no attribute with it, even through others, do
   * not matter.
   */
  readonly contradicts: (clauses: Term, clause: Clause) => boolean
  readonly find: (set: ContextSet) => Answer<Context>
  readonly isIn: (set: ContextSet, context: Context) => boolean
}

/** A solver for all contexts, and one for those without lists and objects, which most sentences are about. */
export interface Solvers {
  readonly any: Solver
  readonly plain: Solver
}

/** Contradictions are found in few steps; finding a user in a share takes many, and removes no clause. */
const stepsForQuestion = 500

/** Returns solvers that share their work. */
export function createSolvers(scope: SetScope, work: Work): Solvers {
  const [setOf, meets] = [createSets(scope), createMeets()]
  const createSolver = (shapes: Shapes): Solver => {
    const isEmpty: Solver["isEmpty"] = (...sets) => {
      work.spend(sets.length)
      if (work.isSpent) return false
      const options = { shapes, work: work.share(0.1, stepsForQuestion) }
      return findContext(intersection(...sets), options).kind === "none"
    }
    return {
      setOf,
      unionOf: (terms) => union(...terms.map((term) => intersection(...term.map(setOf)))),
      isEmpty,
      contradicts: (clauses, clause) => {
        const near = [clause]
        for (const reached of near)
          for (const next of clauses) if (!near.includes(next) && meets(reached, next)) near.push(next)
        return near.length > 1 && isEmpty(...near.map(setOf))
      },
      find: (set) => findContext(set, { shapes, work: work.share(0.1) }),
      isIn: (set, context) => isIn(set, context, work),
    }
  }
  return { any: createSolver("any"), plain: createSolver("plain") }
}
