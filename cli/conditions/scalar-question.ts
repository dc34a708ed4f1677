import type {
  Constraint,
  ExpressionConstraint,
  MomentsConstraint,
  NumbersConstraint,
  PatternConstraint,
  ShareConstraint,
  TextsConstraint,
  VersionsConstraint,
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

/** Says whether a scalar is a member, and counts what that costs. */
export function createJudge(question: ScalarQuestion, work: Work): (scalar: unknown) => boolean {
  const { texts, pattern, expression, numbers, moments, versions, share } = question
  const kinds = [texts, pattern, expression, numbers, moments, versions, share] as const
  const count = (sides: Sides<unknown>) => sides.holds.length + sides.fails.length
  const steps =
    2 +
    (kinds.reduce((sum, sides) => sum + count(sides), 0) >> 2) +
    count(versions) +
    count(share) +
    texts.fails.filter((one) => one.texts.length > 100).length +
    count(expression) * 256
  const patterns = [...pattern.holds, ...pattern.fails].reduce((sum, { text }) => sum + text.length, 0)
  return (scalar) => {
    // Looking for one text in another can take the product of their lengths.
    const length = typeof scalar === "string" ? scalar.length : 20
    work.spend(steps + ((length * patterns) >> 10))
    for (const { holds, fails } of kinds) {
      for (const constraint of holds) if (!constraint.holds(scalar)) return false
      for (const constraint of fails) if (constraint.holds(scalar)) return false
    }
    return true
  }
}
