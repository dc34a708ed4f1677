import { type Answer, found, none, unknown } from "./answer.ts"
import { type Constraint, isCaseBlind, stepsOf } from "./constraint.ts"
import { type ConstraintList, guessScalar } from "./guess.ts"
import type { Predicate } from "./predicate.ts"
import { findScalar } from "./scalar.ts"
import { createJudge, createQuestion } from "./scalar-question.ts"
import type { Work } from "./work.ts"

/** A predicate that an attribute's value must match (`holds`) or must not match. */
export interface Literal {
  readonly predicate: Predicate
  readonly holds: boolean
}

/** Literals that must all be true of one value. The newest is first: it is the likeliest to fail. Lists share their tails. */
export interface Literals extends Literal {
  readonly rest: Literals | undefined
  readonly length: number
  /** What must hold of a scalar. */
  readonly asked: ConstraintList | undefined
  /** Whether no literal rules out all scalars. */
  readonly allowsScalars: boolean
}

/** The literals and one more. */
export function add({ predicate, holds }: Literal, rest: Literals | undefined): Literals {
  const { scalar } = predicate
  const isAsked = typeof scalar !== "boolean" && scalar.holds === holds
  return {
    predicate,
    holds,
    rest,
    length: (rest?.length ?? 0) + 1,
    asked: isAsked ? { constraint: scalar.constraint, rest: rest?.asked } : rest?.asked,
    allowsScalars: (rest?.allowsScalars ?? true) && (typeof scalar !== "boolean" || scalar === holds),
  }
}

/** Whether all literals are true of a value, if those from `known` on are. The value `undefined` is a missing attribute. */
export function agree(literals: Literals, value: unknown, work: Work, known?: Literals): boolean {
  let cost = 4
  let one: Literals | undefined = literals
  for (; one !== undefined && one !== known; one = one.rest) {
    // A missing attribute is not compared.
    cost += value === undefined ? 1 : one.predicate.cost
    if (one.predicate.matches(value) !== one.holds) break
  }
  work.spend(stepsOf(cost, value))
  return one === known
}

/** `plain` values are missing ones and scalars; `any` adds objects and lists. */
export type Shapes = "plain" | "any"

/** Finds a value of an attribute for which all literals are true. The value `undefined` is a missing attribute. */
export function findValue(literals: Literals, shapes: Shapes, work: Work): Answer<unknown> {
  if (agree(literals, undefined, work)) return found(undefined)
  if (work.isSpent) return unknown("bound")
  const scalar = findScalarValue(literals, work)
  if (scalar.kind === "found" || shapes === "plain" || literals.predicate.isScalar) return scalar
  const other = findObjectOrList(literals, scalar, work)
  return other.kind === "none" ? scalar : other
}

/** Finds an object or a list for which all literals are true. `scalar` is the answer for scalars. */
export function findObjectOrList(literals: Literals, scalar: Answer<unknown>, work: Work): Answer<unknown> {
  const object = {}
  return agree(literals, object, work) ? found(object) : findList(literals, scalar, work)
}

function findScalarValue(literals: Literals, work: Work): Answer<unknown> {
  if (!literals.allowsScalars) return none
  const membership = {
    isMember: (scalar: unknown) => agree(literals, scalar, work),
    isCaseBlind: () => [...constraintsIn(literals)].every(([constraint]) => isCaseBlind(constraint)),
  }
  const guess = guessScalar(literals.asked, membership, work)
  if (guess !== undefined) return guess
  work.spend(literals.length >> 2)
  return findScalar(createQuestion(constraintsIn(literals)), work)
}

/** What literals require of a scalar, and whether that must hold. */
function* constraintsIn(literals: Literals): Generator<readonly [Constraint, boolean]> {
  for (let one: Literals | undefined = literals; one !== undefined; one = one.rest) {
    const { scalar } = one.predicate
    if (typeof scalar !== "boolean") yield [scalar.constraint, scalar.holds === one.holds]
  }
}

/**
 * A list is described by the sets that it must have an element in, and those that it must have none in. So it can be
 * built from one element for each set of the first kind.
 */
function findList(literals: Literals, scalar: Answer<unknown>, work: Work): Answer<unknown> {
  work.spend(literals.length >> 2)
  const some: Constraint[] = []
  const no: Constraint[] = []
  const someVersion: Constraint[] = []
  const otherVersionFails: { readonly equal: Constraint; readonly any: Constraint }[] = []
  let isLikeScalar = true
  for (let one: Literals | undefined = literals; one !== undefined; one = one.rest) {
    const { holds } = one
    const { list } = one.predicate
    if (typeof list === "boolean") {
      if (list !== holds) return none
      isLikeScalar &&= typeof one.predicate.scalar === "boolean"
    } else if (list.kind === "otherVersion") {
      isLikeScalar = false
      if (holds) {
        no.push(list.equal)
        someVersion.push(list.any)
      } else otherVersionFails.push(list)
    } else {
      const has = (list.kind === "some") === holds
      ;(has ? some : no).push(list.constraint)
    }
  }
  // An element in the one set and in none of the others is a scalar for which all literals are true.
  if (isLikeScalar && some.length === 1) return scalar
  const [first] = otherVersionFails
  if (first === undefined) return some.length === 0 ? found([]) : buildList({ some, no, someVersion }, work)
  // `semverNotEquals` fails for a list that has an equal version, or for one that has elements but no version.
  const withoutVersion = buildList({ some, no: [...no, first.any], someVersion }, work)
  if (withoutVersion.kind === "found") return withoutVersion
  const equal = otherVersionFails.map((fails) => fails.equal)
  const withEqual = buildList({ some: [...some, ...equal], no, someVersion }, work)
  return withEqual.kind === "none" ? withoutVersion : withEqual
}

interface ListQuestion {
  readonly some: readonly Constraint[]
  readonly no: readonly Constraint[]
  readonly someVersion: readonly Constraint[]
}

/** Builds a list that is not empty. */
function buildList({ some, no, someVersion }: ListQuestion, work: Work): Answer<readonly unknown[]> {
  const elements: unknown[] = []
  for (const constraint of [...some, ...someVersion.slice(0, 1)]) {
    work.spend(1 + elements.length)
    if (work.isSpent) return unknown("bound")
    if (elements.some((element) => constraint.holds(element))) continue
    const element = findElement(constraint, no, work)
    if (element.kind !== "found") return element
    elements.push(element.value)
  }
  // Null has no string, so it is in no set.
  return found(elements.length === 0 ? [null] : elements)
}

/** Finds a scalar for which one constraint holds and all others fail. */
function findElement(holds: Constraint, fails: readonly Constraint[], work: Work): Answer<unknown> {
  const question = createQuestion([[holds, true], ...fails.map((one) => [one, false] as const)])
  const membership = {
    isMember: createJudge(question, work),
    isCaseBlind: () => [holds, ...fails].every(isCaseBlind),
  }
  const guess = guessScalar({ constraint: holds, rest: undefined }, membership, work)
  if (guess !== undefined) return guess
  work.spend(fails.length >> 2)
  return findScalar(question, work)
}
