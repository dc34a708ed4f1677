import type { Clause, Term } from "../conditions/clause.ts"
import { flatten } from "../conditions/flatten.ts"
import { rangeLeft, seedName, shareClausesIn, shareOf } from "../conditions/share-range.ts"
import { attributeOf, type Condition, isAlways, presenceIn, type Share } from "../language/condition.ts"
import { namesTexts, textsOf } from "../language/texts.ts"
import { isRange } from "./bounds.ts"
import { isPlace, type Place } from "./comparison-words.ts"

/** The clauses of a term without those that everyone fulfils. */
export function saidOf(term: Term): Term {
  const clauses = flatten(term)
  return clauses.filter((clause) =>
    clause.holds
      ? !isAlways(clause.condition) && !clauses.some((other) => implies(other, clause))
      : !isInEmptyList(clause),
  )
}

/**
 * Whether a clause names a value of an attribute, or picks users by it, and another one only asks the attribute to be there, as a
 * share of 100 % does.
 */
function implies({ condition, holds }: Clause, { condition: present }: Clause): boolean {
  if (present.kind !== "comparison" && present.kind !== "share") return false
  if (condition.kind === "share")
    return holds && condition.by === attributeOf(present) && presenceIn(present) === true
  const isOfAll = present.kind === "share" ? present.from === 0 && present.to === 100 : presenceIn(present)
  return (
    (isOfAll ?? false) &&
    holds &&
    namesTexts(condition) &&
    !textsOf(condition).includes("") &&
    condition.attribute === attributeOf(present)
  )
}

/** Whether a clause asks for a text of an empty list, which no one has. */
export function isInEmptyList({ condition }: Clause): boolean {
  return namesTexts(condition) && textsOf(condition).length === 0
}

/** What a condition asks for, without what everyone fulfils. */
export function clausesOf(condition: Condition): Term {
  return saidOf([{ condition, holds: true }])
}

/** The attribute whose values read as places. */
export function placeIn(terms: readonly Term[]): Place {
  const places = terms.flat().flatMap(({ condition, holds }) => placesIn(condition, holds))
  return (places.find(({ holds }) => holds) ?? places[0])?.attribute
}

function placesIn(
  condition: Condition,
  holds: boolean,
): readonly { readonly attribute: string; readonly holds: boolean }[] {
  if ("parts" in condition)
    return condition.parts.flatMap((part) => placesIn(part, holds === (condition.kind !== "none")))
  return condition.kind === "comparison" && isPlace(condition)
    ? [{ attribute: condition.attribute, holds }]
    : []
}

/** The clauses that exclude a rule by its number, except those that are the end of a range. */
export function rulesIn(clauses: Term): Term {
  return clauses.filter(
    (clause) => clause.rule !== undefined && !clauses.some((other) => isRange(clause, other)),
  )
}

/** Whether a clause excludes users who match several conditions at once, and is not a numbered rule. */
export function isException({ condition, holds, rule }: Clause): boolean {
  return !holds && condition.kind === "all" && rule === undefined
}

/** Whether users have an attribute and are in no share by it: its text is empty. */
export function isEmptyText(outside: Clause, present: Clause): boolean {
  const share = shareOf(outside.condition)
  const { condition, holds } = present
  const isPresent = holds && condition.kind === "comparison" && presenceIn(condition) === true
  const isInNone = !outside.holds && share?.from === 0 && share.to === 100
  return isPresent && isInNone && condition.attribute === share.by
}

/** The ranges of shares that must hold, without those that must not, and the other clauses. */
export function shareRangesIn(clauses: Term): { readonly shares: readonly Share[]; readonly rest: Term } {
  const shares: Share[] = []
  const taken = new Set<Clause>()
  for (const alike of Map.groupBy(shareClausesIn(clauses), ({ share }) => seedName(share)).values()) {
    const [inside = [], outside = []] = [true, false].map((holds) =>
      alike.flatMap(({ clause, share }) => (clause.holds === holds ? [share] : [])),
    )
    const [share] = inside
    const range = share && rangeLeft(inside, outside)
    if (share === undefined || range === undefined) continue
    shares.push({ ...share, ...range })
    for (const { clause } of alike) taken.add(clause)
  }
  return { shares, rest: clauses.filter((clause) => !taken.has(clause)) }
}
