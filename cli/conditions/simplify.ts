import type { Condition } from "../../sdk/evaluation/condition.ts"
import {
  always,
  type Clause,
  clauseName,
  conditionName,
  groupOf,
  partsOf,
  type Term,
  termSet,
} from "./clause.ts"
import { type ContextSet, complement, intersection } from "./context-set.ts"
import { listOf } from "./list.ts"
import { negations } from "./negations.ts"
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
const mostClauses = 80

/** More terms are not compared with each other. */
const mostTerms = 100

/** Contradictions are found in few steps; finding a user in a share takes many, and removes no clause. */
const stepsForQuestion = 500

/**
 * Shorter terms with the same contexts. A step is taken only if the search shows that no context tells the two sides
 * apart; once the work is spent, no step is taken.
 */
export function simplify(terms: readonly Term[], simplifying: Simplifying): readonly Term[] {
  return joinTerms(simplifyEach(terms, simplifying), simplifying)
}

/** Each term by itself. */
export function simplifyEach(terms: readonly Term[], simplifying: Simplifying): readonly Term[] {
  const isEmpty = createIsEmpty(simplifying)
  const short = terms.flatMap((term) => {
    const whole = simplifyTerm(term, simplifying, isEmpty)
    const parts = takeApart(whole, simplifying).map((part) => simplifyTerm(part, simplifying, isEmpty))
    const isPlain = parts.every((part) =>
      part.every((one) => simplifying.isNamed(one) || !partsOf(one.condition)),
    )
    return parts.length > 0 && isPlain ? parts : [whole]
  })
  return [...new Map(short.map((term) => [termName(term), term])).values()]
}

/** The terms without what others among them cover. */
export function joinTerms(terms: readonly Term[], simplifying: Simplifying): readonly Term[] {
  const canJoin =
    terms.length > 1 && terms.length <= mostTerms && terms.every(({ length }) => length <= mostClauses)
  return mergeLists(canJoin ? simplifyTogether(terms, simplifying.setOf, createIsEmpty(simplifying)) : terms)
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

/** The parts of an `any` are taken apart up to this number. */
const mostParts = 4

/**
 * Splits "any of these conditions or strings, and not all of those" into a term for each of these, and a range without another
 * one into what is left of it. Empty for other terms.
 */
function takeApart(term: Term, { isNamed }: Simplifying): readonly Term[] {
  const groupIn = (operator: string, holds: boolean) =>
    term.find((one) => one.holds === holds && one.condition.operator === operator && !isNamed(one))
  const hole = groupIn("all", false)
  const excluded = partsOf(hole?.condition ?? always) ?? []
  const [attribute, ...others] = new Set(excluded.map((part) => part.attribute))
  const isInRange =
    others.length === 0 && term.some((one) => one.holds && one.condition.attribute === attribute)
  if (isInRange && excluded.every(({ operator }) => bounds.flat().includes(operator)))
    return excluded.map((condition) => term.map((one) => (one === hole ? { condition, holds: false } : one)))
  const isIn = (one: Clause) =>
    one.holds &&
    !isNamed(one) &&
    one.condition.operator === "in" &&
    excluded.some((part) => part.attribute === one.condition.attribute)
  const any = groupIn("any", true) ?? term.find(isIn)
  const parts = any === undefined || excluded.length === 0 ? [] : alternatives(any.condition)
  if (parts.length > mostParts) return []
  return parts.map((condition) => term.map((one) => (one === any ? { condition, holds: true } : one)))
}

/** The conditions of an `any`, or one for each string of a list. */
function alternatives(condition: Condition): readonly Condition[] {
  const { attribute } = condition
  const texts = condition.operator === "in" ? listOf(condition) : []
  return partsOf(condition) ?? texts.map((value) => ({ attribute, operator: "equals", value }))
}

const bounds: readonly (readonly [string, string])[] = [
  ["greaterThan", "lessThanOrEquals"],
  ["greaterThanOrEquals", "lessThan"],
  ["semverGreaterThan", "semverLessThanOrEquals"],
  ["semverGreaterThanOrEquals", "semverLessThan"],
  ["after", "beforeOrEquals"],
  ["afterOrEquals", "before"],
]

/** Each operator that negates another for a present value, with the one that it negates. */
const positives = new Map<string, string>([
  ...negations,
  ["semverNotEquals", "semverEquals"],
  ...bounds,
  ...bounds.map(([one, other]) => [other, one] as const),
])

function simplifyTerm(term: Term, simplifying: Simplifying, isEmpty: IsEmpty): Term {
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
      const present = { condition: { attribute, operator: "exists", value: "" }, holds: true }
      return contradicts(clauses, present) ? [negated(present)] : []
    })
  }

  /** The opposite of an excluded negation or bound, where the other clauses leave no one without the attribute. */
  function asked(clause: Clause, others: Term): Clause {
    const { condition } = clause
    const operator = isNamed(clause) ? undefined : positives.get(condition.operator)
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
    const others = met.filter((one) => one.holds || one.condition.operator !== "all")
    const isMet = (part: Condition) =>
      flatten([{ condition: part, holds: true }], isNamed).every((one) => metNames.has(clauseName(one))) ||
      contradicts(others, { condition: part, holds: false })
    return condition.operator === "all"
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
    const { operator } = condition
    const isGroup = operator === "none" || operator === (holds ? "all" : "any")
    const parts = isGroup && !isNamed(clause) ? partsOf(condition) : undefined
    if (parts === undefined) flat.set(clauseName(clause), unnested(clause, isNamed))
    else if (operator === "none" && !holds) visit({ condition: groupOf("any", parts), holds: true })
    else for (const part of parts) visit({ condition: part, holds: holds && operator !== "none" })
  }
  for (const clause of term) visit(clause)
  return [...flat.values()]
}

/** A group without groups of its own kind, each part once; what has a name stays as it is. */
function unnested(clause: Clause, isNamed: (clause: Clause) => boolean): Clause {
  const { operator } = clause.condition
  if ((operator !== "any" && operator !== "all") || isNamed(clause)) return clause
  const open = (part: Condition): readonly Condition[] => {
    const isOpen = part.operator === operator && !isNamed({ condition: part, holds: true })
    return (isOpen ? partsOf(part)?.flatMap(open) : undefined) ?? [part]
  }
  const parts = new Map(open(clause.condition).map((part) => [conditionName(part), part]))
  return { ...clause, condition: groupOf(operator, [...parts.values()]) }
}

/** The maximum number of strings of one list that are looked at. */
const mostTexts = 1_000

/** A list or an `any` without the parts that have no effect; unchanged if none is left. */
function shorten(condition: Condition, isIdle: (part: Condition) => boolean): Condition {
  const { attribute, operator } = condition
  if (operator === "any") {
    const left = withoutParts(condition, isIdle)
    const parts = left.operator === "any" ? partsOf(left) : undefined
    return parts === undefined
      ? left
      : groupOf(
          "any",
          parts.map((part) => shorten(part, isIdle)),
        )
  }
  if (operator !== "in") return condition
  const texts = listOf(condition)
  if (texts.length > mostTexts) return condition
  const left = texts.filter((value) => !isIdle({ attribute, operator: "equals", value }))
  return textsCondition(attribute, left) ?? condition
}

function withoutParts(condition: Condition, isIdle: (part: Condition) => boolean): Condition {
  const left = (partsOf(condition) ?? []).filter((part) => !isIdle(part))
  return left.length === 0 ? condition : groupOf(condition.operator === "all" ? "all" : "any", left)
}

function textsCondition(attribute: string, texts: readonly string[]): Condition | undefined {
  const [only] = texts
  if (only === undefined) return undefined
  return texts.length === 1
    ? { attribute, operator: "equals", value: only }
    : { attribute, operator: "in", value: JSON.stringify(texts) }
}

/** Without the clauses that can be dropped, one after the other: those that exclude first, the longest first. */
function dropEach(term: Term, canDrop: (others: Term, clause: Clause) => boolean): Term {
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

/** Drops clauses that only separate a term from another, and terms that the others cover together. */
function simplifyTogether(
  terms: readonly Term[],
  setOf: (clause: Clause) => ContextSet,
  isEmpty: IsEmpty,
): readonly Term[] {
  const outside = intersection(...terms.map((term) => complement(termSet(term, setOf))))
  let left = terms.map((term) =>
    dropEach(term, (others, clause) => isEmpty(...others.map(setOf), complement(setOf(clause)), outside)),
  )
  for (const term of left.toReversed()) {
    const others = left.filter((one) => one !== term)
    const rest = others.map((one) => complement(termSet(one, setOf)))
    if (isEmpty(termSet(term, setOf), ...rest)) left = others
  }
  return left
}

/** Joins terms that differ only in the strings of one attribute into one with a list. */
export function mergeLists(terms: readonly Term[]): readonly Term[] {
  const merged: Term[] = []
  const places = new Map<string, number>()
  for (const term of terms) {
    const keys = [...keysOf(term).keys()]
    const key = keys.find((one) => keysOf(merged[places.get(one) ?? -1] ?? []).has(one))
    const at = key === undefined ? merged.length : (places.get(key) ?? merged.length)
    const [own, other] = [keysOf(merged[at] ?? []).get(key ?? ""), keysOf(term).get(key ?? "")]
    if (own === undefined || other === undefined) {
      merged.push(term)
      for (const one of keys) places.set(one, at)
      continue
    }
    const texts = [...new Set([...(textsIn(own) ?? []), ...(textsIn(other) ?? [])])]
    const condition = textsCondition(own.condition.attribute, texts) ?? own.condition
    merged[at] = (merged[at] ?? []).map((clause) => (clause === own ? { condition, holds: true } : clause))
  }
  return merged
}

/** The clauses that are lists of strings, by the rest of their term. */
function keysOf(term: Term): ReadonlyMap<string, Clause> {
  return new Map(
    term.flatMap((clause) => {
      if (textsIn(clause) === undefined) return []
      const others = term.flatMap((one) => (one === clause ? [] : [clauseName(one)]))
      return [[JSON.stringify([clause.condition.attribute, ...others.sort()]), clause] as const]
    }),
  )
}

function textsIn({ condition, holds }: Clause): readonly string[] | undefined {
  if (!holds || (condition.operator !== "equals" && condition.operator !== "in")) return undefined
  return condition.operator === "in" ? listOf(condition) : [condition.value]
}

function termName(term: Term): string {
  return term.map(clauseName).sort().join()
}
