import { type Condition, isPresent } from "../language/condition.ts"
import { isReference } from "../language/references.ts"
import { oppositeOf } from "../language/related-operators.ts"
import { namesTexts, textsOf, withTexts } from "../language/texts.ts"
import { type Clause, clauseName, groupOf, type Term } from "./clause.ts"
import { flatten } from "./flatten.ts"
import type { Solver } from "./solver.ts"

/**
 * Each clause is compared with the others, so a term with more clauses is simplified without those that have a name, or
 * not at all.
 */
export const mostClauses = 80

/** A term with fewer clauses and shorter ones, with the same contexts. */
export function simplifyTerm(term: Term, solver: Solver): Term {
  const met = effective(flatten(term), solver)
  if (met.length > mostClauses) {
    const spelled = met.filter((clause) => !isNamed(clause))
    if (spelled.length > mostClauses || spelled.length === met.length) return met
    return [...simplifyTerm(spelled, solver), ...met.filter(isNamed)]
  }
  const narrowed = met.flatMap((clause) =>
    clause.rule === undefined ? flatten([{ ...clause, condition: narrow(clause, met, solver) }]) : [clause],
  )
  // Clauses from a group say more about what the others exclude, and others say more about alternatives that come from one.
  const names = new Set(met.map(clauseName))
  const isNewAny = (clause: Clause) =>
    clause.holds && clause.condition.kind === "any" && !names.has(clauseName(clause))
  if (narrowed.length > met.length || narrowed.some(isNewAny)) return simplifyTerm(narrowed, solver)
  return dropEach([...narrowed, ...missing(narrowed, solver)], (others, clause) =>
    solver.contradicts(others, negated(clause)),
  )
}

/** Whether a clause is a reference or a rule, which sentences name. */
function isNamed({ condition, rule }: Clause): boolean {
  return rule !== undefined || isReference(condition)
}

function negated({ condition, holds }: Clause): Clause {
  return { condition, holds: !holds }
}

/** The clauses without those that exclude no one whom the others leave. */
function effective(term: Term, solver: Solver): Term {
  const matching = term.filter(({ holds }) => holds)
  const excluding = term.filter((clause) => !clause.holds && !solver.contradicts(matching, negated(clause)))
  return [...matching, ...excluding.map((clause) => positive(clause, matching, solver))]
}

/** The opposite of an excluded negation or bound, where the other clauses leave no one without the attribute. */
function positive(clause: Clause, others: Term, { contradicts }: Solver): Clause {
  const { condition, rule } = clause
  if (condition.kind !== "comparison" || rule !== undefined) return clause
  const operator = oppositeOf(condition.operator)
  if (operator === undefined) return clause
  const opposite = { condition: { ...condition, operator }, holds: true }
  const isSame =
    contradicts([clause, ...others], negated(opposite)) && contradicts([opposite, ...others], negated(clause))
  return isSame ? opposite : clause
}

/** That an attribute is missing, where several clauses together imply it. */
function missing(clauses: Term, { contradicts }: Solver): Term {
  const asked = clauses.flatMap(({ condition }) =>
    condition.kind === "comparison"
      ? [condition.attribute]
      : condition.kind === "share"
        ? [condition.by]
        : [],
  )
  const several = new Set(asked.filter((attribute, at) => asked.indexOf(attribute) < at))
  return [...several].flatMap((attribute) => {
    const present = { condition: isPresent(attribute), holds: true }
    return contradicts(clauses, present) ? [negated(present)] : []
  })
}

/** The condition of a clause of a term without the parts of a group and the strings of a list that have no effect. */
function narrow(clause: Clause, term: Term, { contradicts }: Solver): Condition {
  const { condition, holds } = clause
  if (holds) {
    const others = term.filter((other) => other !== clause)
    return shorten(withoutExcluded(condition, others), (part) =>
      contradicts(others, { condition: part, holds: true }),
    )
  }
  if (condition.kind !== "all") {
    const matching = term.filter((other) => other.holds)
    return shorten(condition, (part) => contradicts(matching, { condition: part, holds: true }))
  }
  // What everyone meets whom the term leaves need not be said of the group that is excluded.
  const names = new Set(term.map(clauseName))
  const others = term.filter((other) => other.holds || other.condition.kind !== "all")
  const isMet = (part: Condition) =>
    flatten([{ condition: part, holds: true }]).every((met) => names.has(clauseName(met))) ||
    contradicts(others, { condition: part, holds: false })
  return withoutParts(condition.kind, condition.parts, isMet)
}

/** A long list without the strings that another one excludes: asking about each would take the product of their lengths. */
function withoutExcluded(condition: Condition, others: Term): Condition {
  if (!namesTexts(condition) || textsOf(condition).length <= mostTexts) return condition
  const excluded = new Set(
    others.flatMap(({ condition: other, holds }) =>
      !holds &&
      namesTexts(other) &&
      other.attribute === condition.attribute &&
      other.ignoreCase === condition.ignoreCase
        ? textsOf(other)
        : [],
    ),
  )
  const left = textsOf(condition).filter((text) => !excluded.has(text))
  return withTexts(condition, left) ?? condition
}

/** The maximum number of strings of one list that are looked at. */
const mostTexts = 1_000

/** A list or an `any` without the parts that have no effect; unchanged if none is left. */
function shorten(condition: Condition, isIdle: (part: Condition) => boolean): Condition {
  if (condition.kind === "any") {
    const left = withoutParts("any", condition.parts, isIdle)
    return left.kind === "any"
      ? groupOf(
          "any",
          left.parts.map((part) => shorten(part, isIdle)),
        )
      : left
  }
  if (!namesTexts(condition)) return condition
  const texts = textsOf(condition)
  if (typeof condition.operand === "string" || texts.length > mostTexts) return condition
  const left = texts.filter((text) => !isIdle(withTexts(condition, [text]) ?? condition))
  return withTexts(condition, left) ?? condition
}

function withoutParts(
  kind: "all" | "any",
  parts: readonly Condition[],
  isIdle: (part: Condition) => boolean,
): Condition {
  const left = parts.filter((part) => !isIdle(part))
  return left.length === 0 ? { kind, parts } : groupOf(kind, left)
}

/** Without the clauses that can be dropped, one after the other: those that exclude first, the longest first. */
export function dropEach(term: Term, canDrop: (others: Term, clause: Clause) => boolean): Term {
  let left = term
  const lengths = new Map(term.map((clause) => [clause, clauseName(clause).length]))
  const order = term.toSorted(
    (a, b) => Number(a.holds) - Number(b.holds) || (lengths.get(b) ?? 0) - (lengths.get(a) ?? 0),
  )
  for (const clause of order) {
    const others = left.filter((other) => other !== clause)
    if (canDrop(others, clause)) left = others
  }
  return left
}
