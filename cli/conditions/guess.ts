import { type Answer, found, none, unknown } from "./answer.ts"
import { plain } from "./candidates.ts"
import type { Constraint, TextsConstraint } from "./constraint.ts"
import { hasFewLetters, inEitherCase } from "./patterns.ts"
import type { Values } from "./scalar-values.ts"
import type { Work } from "./work.ts"

/** The constraints that a scalar must meet, newest first. Lists share their tails. */
export interface ConstraintList {
  readonly constraint: Constraint
  readonly rest: ConstraintList | undefined
}

/** How many members of intervals are tried: usually one of them is in all sets. */
const mostMembers = 4

/** Which scalars are members: `isMember` tests one; with `isCaseBlind`, the case of A to Z makes no difference. */
export interface Membership {
  readonly isMember: (scalar: unknown) => boolean
  readonly isCaseBlind: () => boolean
}

/**
 * Answers most questions about a scalar by looking only at what must hold, and testing a few candidates with `isMember`.
 * `undefined`: a search is needed.
 */
export function guessScalar(
  asked: ConstraintList | undefined,
  membership: Membership,
  work: Work,
): Answer<unknown> | undefined {
  work.spend(8)
  const { isMember } = membership
  const listed = fewestTexts(asked)
  if (listed !== undefined) return findText(listed, membership, work)
  const values = newestValues(asked)
  let left = mostMembers
  if (values !== undefined)
    for (const member of plain(values)) {
      if (isMember(member)) return found(member)
      if (--left === 0) return undefined
    }
  const only = asked?.rest === undefined ? asked?.constraint : undefined
  return only?.kind === "pattern" && isMember(only.text) ? found(only.text) : undefined
}

/** The shortest list that the scalar's string must be in; one that ignores case only if there is no other. */
function fewestTexts(asked: ConstraintList | undefined): TextsConstraint | undefined {
  let fewest: TextsConstraint | undefined
  for (let one = asked; one !== undefined; one = one.rest) {
    const { constraint } = one
    if (constraint.kind !== "texts" || (constraint.ignoresCase && fewest?.ignoresCase === false)) continue
    if (
      fewest === undefined ||
      (fewest.ignoresCase && !constraint.ignoresCase) ||
      constraint.texts.length < fewest.texts.length
    )
      fewest = constraint
  }
  return fewest
}

/** The newest set of numbers, of versions and of moments; `undefined` if none is needed. */
function newestValues(asked: ConstraintList | undefined): Values | undefined {
  let values: Values | undefined
  for (let one = asked; one !== undefined; one = one.rest) {
    const { constraint } = one
    if (constraint.kind === "numbers") values = { numbers: constraint.intervals, ...values }
    else if (constraint.kind === "versions") values = { versions: constraint.intervals, ...values }
    else if (constraint.kind === "moments") values = { moments: constraint.intervals, ...values }
  }
  return values
}

function findText(
  { texts, ignoresCase }: TextsConstraint,
  { isMember, isCaseBlind }: Membership,
  work: Work,
): Answer<unknown> {
  for (const text of texts)
    for (const spelling of ignoresCase ? inEitherCase(text) : [text]) {
      if (work.isSpent) return unknown("bound")
      const scalar = scalarsOf(spelling).find(isMember)
      if (scalar !== undefined) return found(scalar)
    }
  return !ignoresCase || texts.every(hasFewLetters) || isCaseBlind() ? none : unknown("mixture")
}

/** The scalars with this text that operators can tell apart: the string, a number, and a Date outside RFC 3339's years. */
function scalarsOf(text: string): readonly unknown[] {
  const number = Number(text)
  const date = /^[+-]\d{6}-/.test(text) ? new Date(text) : undefined
  const isDate = date !== undefined && !Number.isNaN(date.getTime()) && date.toISOString() === text
  return [text, ...(String(number) === text ? [number] : []), ...(isDate ? [date] : [])]
}
