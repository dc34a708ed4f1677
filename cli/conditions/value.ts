import { type Answer, found, none, unknown } from "./answer.ts"
import type { Constraint } from "./constraint.ts"
import type { Predicate } from "./predicate.ts"
import { findScalar } from "./scalar.ts"
import type { Work } from "./work.ts"

/** A predicate that an attribute's value has to match (`holds`) or must not match. */
export interface Literal {
  readonly predicate: Predicate
  readonly holds: boolean
}

/** `plain` values are missing ones and scalars; `any` adds objects and lists. */
export type Shapes = "plain" | "any"

/** Finds a value of an attribute for which all literals are true. The value `undefined` is a missing attribute. */
export function findValue(literals: readonly Literal[], shapes: Shapes, work: Work): Answer<unknown> {
  const isMatch = (value: unknown) => {
    work.spend(1 + (literals.length >> 3))
    return literals.every(({ predicate, holds }) => predicate.matches(value) === holds)
  }
  if (isMatch(undefined)) return found(undefined)
  const scalar = findScalarValue(literals, work)
  if (scalar.kind === "found" || shapes === "plain") return scalar
  const object = {}
  if (isMatch(object)) return found(object)
  const list = findList(literals, work)
  return list.kind === "none" ? scalar : list
}

function findScalarValue(literals: readonly Literal[], work: Work): Answer<unknown> {
  const holds: Constraint[] = []
  const fails: Constraint[] = []
  for (const { predicate, holds: isTrue } of literals) {
    const { scalar } = predicate
    if (typeof scalar === "boolean") {
      if (scalar !== isTrue) return none
    } else (scalar.holds === isTrue ? holds : fails).push(scalar.constraint)
  }
  return findScalar(holds, fails, work)
}

/**
 * A list is described by the sets that it must have an element in, and those that it must have none in. So it can be
 * built of one element for each of the former.
 */
function findList(literals: readonly Literal[], work: Work): Answer<unknown> {
  const some: Constraint[] = []
  const no: Constraint[] = []
  const someVersion: Constraint[] = []
  const otherVersionFails: { readonly equal: Constraint; readonly any: Constraint }[] = []
  for (const { predicate, holds } of literals) {
    const { list } = predicate
    if (typeof list === "boolean") {
      if (list !== holds) return none
    } else if (list.kind === "otherVersion") {
      if (holds) {
        no.push(list.equal)
        someVersion.push(list.any)
      } else otherVersionFails.push(list)
    } else {
      const has = (list.kind === "some") === holds
      ;(has ? some : no).push(list.constraint)
    }
  }
  const [first] = otherVersionFails
  if (first === undefined) return buildList({ some, no, someVersion, isFilled: false }, work)
  // `semverNotEquals` fails for a list that has an equal version, or for one that has elements but no version.
  const withoutVersion = buildList({ some, no: [...no, first.any], someVersion, isFilled: true }, work)
  if (withoutVersion.kind === "found") return withoutVersion
  const equals = otherVersionFails.map(({ equal }) => equal)
  const withEqual = buildList({ some: [...some, ...equals], no, someVersion, isFilled: true }, work)
  return withEqual.kind === "none" ? withoutVersion : withEqual
}

interface ListQuestion {
  readonly some: readonly Constraint[]
  readonly no: readonly Constraint[]
  /** Asked for only where the list has elements. */
  readonly someVersion: readonly Constraint[]
  readonly isFilled: boolean
}

function buildList(
  { some, no, someVersion, isFilled }: ListQuestion,
  work: Work,
): Answer<readonly unknown[]> {
  if (some.length === 0 && !isFilled) return found([])
  const elements: unknown[] = []
  for (const constraint of [...some, ...someVersion.slice(0, 1)]) {
    work.spend(1 + elements.length)
    if (work.isSpent) return unknown("bound")
    if (elements.some((element) => constraint.holds(element))) continue
    const element = findScalar([constraint], no, work)
    if (element.kind !== "found") return element
    elements.push(element.value)
  }
  // Null has no text, so it is in no set.
  return found(elements.length === 0 ? [null] : elements)
}
