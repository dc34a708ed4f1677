import {
  type Constraint,
  type ExpressionConstraint,
  type MomentsConstraint,
  type NumbersConstraint,
  type PatternConstraint,
  type ShareConstraint,
  stepsOf,
  type TextsConstraint,
  type VersionsConstraint,
} from "./constraint.ts"
import type { Work } from "./work.ts"

/** The scalars for which certain constraints hold and others fail, by the kind of the constraint. */
export interface ScalarQuestion {
  readonly texts: Sides<TextsConstraint>
  readonly pattern: Sides<PatternConstraint>
  readonly expression: Sides<ExpressionConstraint>
  readonly numbers: Sides<NumbersConstraint>
  readonly moments: Sides<MomentsConstraint>
  readonly versions: Sides<VersionsConstraint>
  readonly share: Sides<ShareConstraint>
}

export interface Sides<C> {
  readonly holds: readonly C[]
  readonly fails: readonly C[]
}

/** A question to which constraints are added. */
export function createQuestion() {
  return {
    texts: createSides<TextsConstraint>(),
    pattern: createSides<PatternConstraint>(),
    expression: createSides<ExpressionConstraint>(),
    numbers: createSides<NumbersConstraint>(),
    moments: createSides<MomentsConstraint>(),
    versions: createSides<VersionsConstraint>(),
    share: createSides<ShareConstraint>(),
  }
}

/** Adds a constraint that holds, or one that fails. */
export function addTo(
  question: ReturnType<typeof createQuestion>,
  constraint: Constraint,
  holds: boolean,
): void {
  const sides: { holds: Constraint[]; fails: Constraint[] } = question[constraint.kind]
  ;(holds ? sides.holds : sides.fails).push(constraint)
}

function createSides<C>(): { holds: C[]; fails: C[] } {
  return { holds: [], fails: [] }
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
