import { type Condition, type GroupKind, isGroup } from "../../sdk/evaluation/condition.ts"
import { always, listOf, namesTexts } from "../language/comparisons.ts"
import { operatorOf } from "../language/operators.ts"
import { type Clause, clauseName, partsOf, type Term, termSet } from "./clause.ts"
import { type ContextSet, complement, intersection } from "./context-set.ts"
import { mergeLists, textsCondition } from "./merge-lists.ts"
import {
  createIsEmpty,
  dropEach,
  type IsEmpty,
  mostClauses,
  type Simplifying,
  simplifyTerm,
} from "./simplify-term.ts"

/** More terms are not compared with each other. */
const mostTerms = 100

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

/** The parts of an `any` are taken apart up to this number. */
const mostParts = 4

/**
 * Splits "any of these conditions or strings, and not all of those" into a term for each of these, and a range without another
 * one into what is left of it. Empty for other terms.
 */
function takeApart(term: Term, { isNamed }: Simplifying): readonly Term[] {
  const groupIn = (kind: GroupKind, holds: boolean) =>
    term.find((one) => one.holds === holds && isGroup(one.condition, kind) && !isNamed(one))
  const hole = groupIn("all", false)
  const excluded = partsOf(hole?.condition ?? always) ?? []
  const [attribute, ...others] = new Set(excluded.map((part) => part.attribute))
  const isInRange =
    others.length === 0 && term.some((one) => one.holds && one.condition.attribute === attribute)
  if (isInRange && excluded.every(({ operator }) => operatorOf(operator)?.question.kind === "bound"))
    return excluded.map((condition) => term.map((one) => (one === hole ? { condition, holds: false } : one)))
  const isIn = (one: Clause) =>
    one.holds &&
    !isNamed(one) &&
    namesTexts(one.condition) &&
    listOf(one.condition) !== undefined &&
    excluded.some((part) => part.attribute === one.condition.attribute)
  const any = groupIn("any", true) ?? term.find(isIn)
  const parts = any === undefined || excluded.length === 0 ? [] : alternatives(any.condition)
  if (parts.length > mostParts) return []
  return parts.map((condition) => term.map((one) => (one === any ? { condition, holds: true } : one)))
}

/** The conditions of an `any`, or one for each string of a list. */
function alternatives(condition: Condition): readonly Condition[] {
  const texts = listOf(condition) ?? []
  return partsOf(condition) ?? texts.map((text) => textsCondition(condition, [text]) ?? condition)
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

function termName(term: Term): string {
  return term.map(clauseName).sort().join()
}
