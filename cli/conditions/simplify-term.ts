import { type Condition, isGroup } from "../../sdk/evaluation/condition.ts"
import { isPresent, listOf, namesTexts } from "../language/comparisons.ts"
import { oppositeOf } from "../language/related-operators.ts"
import { type Clause, clauseName, conditionName, groupOf, partsOf, type Term } from "./clause.ts"
import { type ContextSet, intersection } from "./context-set.ts"
import { textsCondition } from "./merge-lists.ts"
import type { Shapes } from "./value.ts"
import { findContext } from "./witness.ts"
import type { Work } from "./work.ts"

/** How terms are simplified. */
export interface Simplifying {
  readonly setOf: (clause: Clause) => ContextSet
  readonly meets: (one: Clause, other: Clause) => boolean
  /** With `plain`, terms may differ in contexts with lists or objects. */
  readonly shapes: Shapes
  readonly work: Work
  /** Whether a clause has a name, so that it is not taken apart. */
  readonly isNamed: (clause: Clause) => boolean
}

/**
 * Each clause is compared with the others, so a term with more clauses is simplified without those that have a name, or
 * not at all.
 */
export const mostClauses = 80

/** Contradictions are found in few steps; finding a user in a share takes many, and removes no clause. */
const stepsForQuestion = 500

/** A term with fewer clauses and shorter ones, with the same contexts. */
export function simplifyTerm(term: Term, simplifying: Simplifying, isEmpty: IsEmpty): Term {
  const { setOf, meets, isNamed } = simplifying
  const flat = flatten(term, isNamed)
  const matching = flat.filter(({ holds }) => holds)
  const excluding = flat
    .filter((one) => !one.holds && !contradicts(matching, negated(one)))
    .map((one) => asked(one, matching))
  const met = [...matching, ...(excluding.length > mostClauses ? withoutWider(excluding) : excluding)]
  if (met.length > mostClauses) {
    const own = met.filter((one) => !isNamed(one))
    if (own.length > mostClauses || own.length === met.length) return met
    return [...simplifyTerm(own, simplifying, isEmpty), ...met.filter(isNamed)]
  }
  const metNames = new Set(met.map(clauseName))
  const narrowed = met.flatMap((clause) => {
    if (isNamed(clause)) return [clause]
    const condition = clause.holds ? narrowMatching(clause) : narrowExcluding(clause.condition)
    return flatten([{ ...clause, condition }], isNamed)
  })
  // Clauses from a group say more about what the others exclude.
  if (narrowed.length > met.length) return simplifyTerm(narrowed, simplifying, isEmpty)
  return dropEach([...narrowed, ...missing(narrowed)], (others, clause) =>
    contradicts(others, negated(clause)),
  )

  /** That an attribute is missing, where several clauses together imply it. */
  function missing(clauses: Term): Term {
    const asked = clauses.flatMap(({ condition }) => (partsOf(condition) ? [] : [condition.attribute]))
    const several = new Set(asked.filter((attribute, at) => asked.indexOf(attribute) < at))
    return [...several].flatMap((attribute) => {
      const present = { condition: isPresent(attribute), holds: true }
      return contradicts(clauses, present) ? [negated(present)] : []
    })
  }

  /** The opposite of an excluded negation or bound, where the other clauses leave no one without the attribute. */
  function asked(clause: Clause, others: Term): Clause {
    const { condition } = clause
    const operator = isNamed(clause) ? undefined : oppositeOf(condition.operator)
    const positive = { condition: { ...condition, operator: operator ?? "" }, holds: true }
    const isSame = () =>
      contradicts([clause, ...others], negated(positive)) &&
      contradicts([positive, ...others], negated(clause))
    return operator !== undefined && isSame() ? positive : clause
  }

  /** Of many clauses that compare one attribute in one way, those that do not follow from the last narrower one. */
  function withoutWider(clauses: Term): Term {
    const narrowest = new Map<string, Clause>()
    const left = new Set<Clause>()
    for (const clause of clauses) {
      const { attribute, operator } = clause.condition
      const way = JSON.stringify([attribute, operator])
      const last = narrowest.get(way)
      if (last !== undefined && isEmpty(setOf(last), setOf(negated(clause)))) continue
      if (last !== undefined && isEmpty(setOf(clause), setOf(negated(last)))) left.delete(last)
      narrowest.set(way, clause)
      left.add(clause)
    }
    return [...left]
  }

  /** Without the parts of `any`, and the strings of a list, that the other clauses leave no one in. */
  function narrowMatching(clause: Clause): Condition {
    const others = met.filter((one) => one !== clause)
    return shorten(clause.condition, (part) => contradicts(others, { condition: part, holds: true }))
  }

  /** Without the parts of `all` that everyone in the group matches, and without the strings of a list that no one there has. */
  function narrowExcluding(condition: Condition): Condition {
    const others = met.filter((one) => one.holds || !isGroup(one.condition, "all"))
    const isMet = (part: Condition) =>
      flatten([{ condition: part, holds: true }], isNamed).every((one) => metNames.has(clauseName(one))) ||
      contradicts(others, { condition: part, holds: false })
    return isGroup(condition, "all")
      ? withoutParts(condition, isMet)
      : shorten(condition, (part) => contradicts(matching, { condition: part, holds: true }))
  }

  /**
   * Whether clauses leave no one in another clause. Those that share no attribute with it, even through others, do not
   * matter.
   */
  function contradicts(clauses: Term, clause: Clause): boolean {
    const near = [clause]
    for (const one of near)
      for (const other of clauses) if (!near.includes(other) && meets(one, other)) near.push(other)
    return near.length > 1 && isEmpty(...near.map(setOf))
  }
}

function negated({ condition, holds }: Clause): Clause {
  return { condition, holds: !holds }
}

/** Groups taken apart as far as that gives clauses, each clause once. */
function flatten(term: Term, isNamed: (clause: Clause) => boolean): Term {
  const flat = new Map<string, Clause>()
  const visit = (clause: Clause): void => {
    const { condition, holds } = clause
    const isNone = isGroup(condition, "none")
    const isOpen = (isNone || isGroup(condition, holds ? "all" : "any")) && !isNamed(clause)
    const parts = isOpen ? partsOf(condition) : undefined
    if (parts === undefined) flat.set(clauseName(clause), unnested(clause, isNamed))
    else if (isNone && !holds) visit({ condition: groupOf("any", parts), holds: true })
    else for (const part of parts) visit({ condition: part, holds: holds && !isNone })
  }
  for (const clause of term) visit(clause)
  return [...flat.values()]
}

/** A group without groups of its own kind, each part once; what has a name stays as it is. */
function unnested(clause: Clause, isNamed: (clause: Clause) => boolean): Clause {
  const kind = (["any", "all"] as const).find((kind) => isGroup(clause.condition, kind))
  if (kind === undefined || isNamed(clause)) return clause
  const open = (part: Condition): readonly Condition[] => {
    const isOpen = isGroup(part, kind) && !isNamed({ condition: part, holds: true })
    return (isOpen ? partsOf(part)?.flatMap(open) : undefined) ?? [part]
  }
  const parts = new Map(open(clause.condition).map((part) => [conditionName(part), part]))
  return { ...clause, condition: groupOf(kind, [...parts.values()]) }
}

/** The maximum number of strings of one list that are looked at. */
const mostTexts = 1_000

/** A list or an `any` without the parts that have no effect; unchanged if none is left. */
function shorten(condition: Condition, isIdle: (part: Condition) => boolean): Condition {
  if (isGroup(condition, "any")) {
    const left = withoutParts(condition, isIdle)
    const parts = isGroup(left, "any") ? partsOf(left) : undefined
    return parts === undefined
      ? left
      : groupOf(
          "any",
          parts.map((part) => shorten(part, isIdle)),
        )
  }
  const texts = namesTexts(condition) ? listOf(condition) : undefined
  if (texts === undefined || texts.length > mostTexts) return condition
  const left = texts.filter((text) => !isIdle(textsCondition(condition, [text]) ?? condition))
  return textsCondition(condition, left) ?? condition
}

function withoutParts(condition: Condition, isIdle: (part: Condition) => boolean): Condition {
  const left = (partsOf(condition) ?? []).filter((part) => !isIdle(part))
  return left.length === 0 ? condition : groupOf(isGroup(condition, "all") ? "all" : "any", left)
}

/** Without the clauses that can be dropped, one after the other: those that exclude first, the longest first. */
export function dropEach(term: Term, canDrop: (others: Term, clause: Clause) => boolean): Term {
  let left = term
  const order = term.toSorted(
    (a, b) => Number(a.holds) - Number(b.holds) || b.condition.value.length - a.condition.value.length,
  )
  for (const clause of order) {
    const others = left.filter((one) => one !== clause)
    if (canDrop(others, clause)) left = others
  }
  return left
}

export type IsEmpty = (...sets: readonly ContextSet[]) => boolean

/** Checks whether sets certainly have no context in common. */
export function createIsEmpty({ shapes, work }: Pick<Simplifying, "shapes" | "work">): IsEmpty {
  return (...sets) => {
    work.spend(sets.length)
    if (work.isSpent) return false
    return (
      findContext(intersection(...sets), { shapes, work: work.share(0.1, stepsForQuestion) }).kind === "none"
    )
  }
}
