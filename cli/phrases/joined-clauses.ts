import type { ParsedCondition } from "../../sdk/evaluation/condition.ts"
import { type AttributeShare, attributeShare, rangeLeft, seedName } from "../conditions/share-range.ts"
import { type AttributeBound, type Bounds, boundOf } from "./bounds.ts"

/** A condition that users match (`holds`), or do not. */
export interface ParsedClause {
  readonly parsed: ParsedCondition
  readonly holds: boolean
}

/** Whether one clause is an end of a range and the other is, or requires, its other end. */
export function isRange(one: ParsedClause, other: ParsedClause): boolean {
  const [bound, otherBound] = [boundIn(one), boundIn(other)]
  return (
    one !== other &&
    bound !== undefined &&
    otherBound !== undefined &&
    rangeName(bound) === rangeName(otherBound) &&
    (other.holds || bound.isUpper !== otherBound.isUpper)
  )
}

function boundIn({ parsed, holds }: ParsedClause): AttributeBound | undefined {
  return parsed.kind === "comparison" ? boundOf(parsed.condition, holds) : undefined
}

function rangeName({ order, attribute }: AttributeBound): string {
  return JSON.stringify([order, attribute])
}

/** Bounds of one attribute, at most one at each end. If none must hold, the attribute may be missing. */
export function rangesIn(clauses: readonly ParsedClause[]) {
  const bounded = clauses.flatMap((clause) => {
    const bound = boundIn(clause)
    return bound === undefined ? [] : [{ clause, bound }]
  })
  const ranges: Bounds[] = []
  const taken = new Set<ParsedClause>()
  for (const own of Map.groupBy(bounded, ({ bound }) => rangeName(bound)).values()) {
    const [first] = own
    const [high, low] = [true, false].map((isUpper) => own.filter(({ bound }) => bound.isUpper === isUpper))
    if (first === undefined || (high?.length ?? 0) > 1 || (low?.length ?? 0) > 1) continue
    const { order, attribute } = first.bound
    const orNone = !own.some(({ clause }) => clause.holds)
    ranges.push({ order, attribute, low: low?.[0]?.bound, high: high?.[0]?.bound, orNone })
    for (const { clause } of own) taken.add(clause)
  }
  return { ranges, others: clauses.filter((clause) => !taken.has(clause)) }
}

/** The ranges of shares that must hold, without those that must not. */
export function shareRangesIn(clauses: readonly ParsedClause[]) {
  const shares: AttributeShare[] = []
  const taken = new Set<ParsedClause>()
  const dealt = clauses.flatMap((clause) => {
    const share = attributeShare(clause.parsed.condition)
    return share === undefined ? [] : [{ clause, share, holds: clause.holds }]
  })
  for (const own of Map.groupBy(dealt, ({ share }) => seedName(share)).values()) {
    const [first] = own
    const sharesThat = (holds: boolean) => own.flatMap((one) => (one.holds === holds ? [one.share] : []))
    const range = own.some(({ holds }) => holds) ? rangeLeft(sharesThat(true), sharesThat(false)) : undefined
    if (first === undefined || range === undefined) continue
    shares.push({ ...first.share, ...range })
    for (const { clause } of own) taken.add(clause)
  }
  return { shares, rest: clauses.filter((clause) => !taken.has(clause)) }
}
