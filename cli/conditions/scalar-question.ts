import { type Constraint, stepsOf } from "./constraint.ts"
import type { Work } from "./work.ts"

/** The scalars for which certain constraints hold and others fail, by the kind of the constraint. */
export type ScalarQuestion = {
  readonly [Kind in Constraint["kind"]]: Sides<Extract<Constraint, { readonly kind: Kind }>>
}

export interface Sides<C> {
  readonly holds: readonly C[]
  readonly fails: readonly C[]
}

/** The question about a scalar for which constraints hold, or do not. */
export function createQuestion(
  constraints: Iterable<readonly [constraint: Constraint, holds: boolean]>,
): ScalarQuestion {
  const none = () => ({ holds: [], fails: [] })
  const question: Record<Constraint["kind"], { holds: Constraint[]; fails: Constraint[] }> = {
    texts: none(),
    pattern: none(),
    expression: none(),
    numbers: none(),
    moments: none(),
    versions: none(),
    share: none(),
  }
  for (const [constraint, holds] of constraints)
    question[constraint.kind][holds ? "holds" : "fails"].push(constraint)
  return question as ScalarQuestion
}

/** Whether there is a constraint of a kind. */
export function isAsked({ holds, fails }: Sides<unknown>): boolean {
  return holds.length + fails.length > 0
}

/** How many strings the scalar must not be. */
export function excludedBy({ texts }: ScalarQuestion): number {
  return texts.fails.reduce((sum, one) => sum + one.texts.length, 0)
}

/** Whether a scalar is a member; counts the cost of finding out. */
export function createJudge(question: ScalarQuestion, work: Work): (scalar: unknown) => boolean {
  const kinds: readonly Sides<Constraint>[] = Object.values(question)
  // All shares of a string need only one hash.
  const least = isAsked(question.share) ? 28 : 8
  return (scalar) => {
    let cost = least
    const isWrong = ({ holds, fails }: Sides<Constraint>) => {
      for (const constraint of holds) {
        cost += constraint.cost
        if (!constraint.holds(scalar)) return true
      }
      for (const constraint of fails) {
        cost += constraint.cost
        if (constraint.holds(scalar)) return true
      }
      return false
    }
    const isMember = !kinds.some(isWrong)
    work.spend(stepsOf(cost, scalar))
    return isMember
  }
}
