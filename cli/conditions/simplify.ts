import type { Condition, Group } from "../language/condition.ts"
import { namesTexts, textsOf, withTexts } from "../language/texts.ts"
import { type Clause, clauseName, type Term } from "./clause.ts"
import { complement } from "./context-set.ts"
import { mergeLists } from "./merge-lists.ts"
import { dropEach, mostClauses, simplifyTerm } from "./simplify-term.ts"
import type { Solver } from "./solver.ts"

/** More terms are not compared with each other. */
const mostTerms = 100

/**
 * Shorter terms with the same contexts. A step is taken only if the search shows that no context tells the two sides
 * apart; once the work is spent, no step is taken.
 */
export function simplify(terms: readonly Term[], solver: Solver): readonly Term[] {
  return joinTerms(simplifyEach(terms, solver), solver)
}

/** Each term by itself. */
export function simplifyEach(terms: readonly Term[], solver: Solver): readonly Term[] {
  const short = terms.flatMap((term) => {
    const whole = simplifyTerm(term, solver)
    const parts = takeApart(whole).map((part) => simplifyTerm(part, solver))
    const isPlain = parts.every((part) =>
      part.every(({ condition, rule }) => rule !== undefined || !("parts" in condition)),
    )
    return parts.length > 0 && isPlain ? parts : [whole]
  })
  return [...new Map(short.map((term) => [term.map(clauseName).sort().join(), term])).values()]
}

/** The terms without what others among them cover. */
export function joinTerms(terms: readonly Term[], solver: Solver): readonly Term[] {
  const canJoin =
    terms.length > 1 && terms.length <= mostTerms && terms.every(({ length }) => length <= mostClauses)
  return mergeLists(canJoin ? simplifyTogether(terms, solver) : terms)
}

/** The parts of an `any` are taken apart up to this number. */
const mostParts = 4

/**
 * Splits "any of these conditions or strings, and not all of those" into a term for each of these. Empty for other terms.
 */
function takeApart(term: Term): readonly Term[] {
  const groupIn = (kind: Group["kind"], holds: boolean) =>
    term.find(
      (clause) => clause.holds === holds && clause.condition.kind === kind && clause.rule === undefined,
    )
  const excluded = partsOf(groupIn("all", false))
  const isIn = ({ condition, holds }: Clause) =>
    holds &&
    namesTexts(condition) &&
    textsOf(condition).length > 1 &&
    excluded.some((part) => part.kind === "comparison" && part.attribute === condition.attribute)
  const any = groupIn("any", true) ?? term.find(isIn)
  const parts = any === undefined || excluded.length === 0 ? [] : alternatives(any.condition)
  if (parts.length > mostParts) return []
  return parts.map((condition) =>
    term.map((clause) => (clause === any ? { condition, holds: true } : clause)),
  )
}

function partsOf(clause: Clause | undefined): readonly Condition[] {
  return clause !== undefined && "parts" in clause.condition ? clause.condition.parts : []
}

/** The conditions of an `any`, or one for each string of a list. */
function alternatives(condition: Condition): readonly Condition[] {
  if ("parts" in condition) return condition.parts
  if (!namesTexts(condition)) return []
  return textsOf(condition).flatMap((text) => withTexts(condition, [text]) ?? [])
}

/** Drops clauses that only separate a term from another, and terms that the others cover together. */
function simplifyTogether(terms: readonly Term[], { isEmpty, setOf, unionOf }: Solver): readonly Term[] {
  const outside = complement(unionOf(terms))
  let left = terms.map((term) =>
    dropEach(term, (others, clause) => isEmpty(...others.map(setOf), complement(setOf(clause)), outside)),
  )
  for (const term of left.toReversed()) {
    const others = left.filter((other) => other !== term)
    if (isEmpty(unionOf([term]), complement(unionOf(others)))) left = others
  }
  return left
}
