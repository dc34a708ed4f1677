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

export function questionOf(holds: readonly Constraint[], fails: readonly Constraint[]): ScalarQuestion {
  const sides = () => ({ holds: [], fails: [] })
  const question = {
    texts: sides(),
    pattern: sides(),
    expression: sides(),
    numbers: sides(),
    moments: sides(),
    versions: sides(),
    share: sides(),
  }
  const byKind: Readonly<Record<Constraint["kind"], { holds: Constraint[]; fails: Constraint[] }>> = question
  for (const constraint of holds) byKind[constraint.kind].holds.push(constraint)
  for (const constraint of fails) byKind[constraint.kind].fails.push(constraint)
  return question
}

/** Says whether a scalar is a member, and counts what that costs. */
export function createJudge(question: ScalarQuestion, work: Work): (scalar: unknown) => boolean {
  const kinds: readonly Sides<Constraint>[] = Object.values(question)
  const count = (sides: Sides<unknown>) => sides.holds.length + sides.fails.length
  const steps =
    2 +
    (kinds.reduce((sum, sides) => sum + count(sides), 0) >> 2) +
    count(question.versions) +
    count(question.share) +
    question.texts.fails.filter(({ texts }) => texts.length > 100).length +
    count(question.expression) * 256
  const patterns = [...question.pattern.holds, ...question.pattern.fails].reduce(
    (sum, { text }) => sum + text.length,
    0,
  )
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
