import { type Condition, type Share, visit } from "../language/condition.ts"
import { meant } from "../language/references.ts"
import type { Clause, Term } from "./clause.ts"

/** What determines a user's share: the attribute that is hashed, and with what; `undefined`: the flag's own key. */
export type ShareSeed = Pick<Share, "by" | "seed">

/** A range of users in their order by a seed, in percent. */
export interface Range {
  readonly from: number
  readonly to: number
}

/** Text that is equal for equal seeds. */
export function seedName({ by, seed }: ShareSeed): string {
  return JSON.stringify([by, seed])
}

/** Percentages have three decimals in files; sums and products of doubles have more. */
export function rounded(percent: number): number {
  return Math.round(percent * 1e3) / 1e3
}

/** The share that a condition is, that a reference means, or that is the only part of a group; `undefined` for any other. */
export function shareOf(condition: Condition): Share | undefined {
  const means = meant(condition)
  if (means?.kind === "share") return means
  if (means?.kind !== "all" && means?.kind !== "any") return undefined
  const [part, ...others] = means.parts
  return part && others.length === 0 ? shareOf(part) : undefined
}

/** A clause that is a share, or a reference to one. */
export interface ShareClause {
  readonly clause: Clause
  readonly share: Share
}

/** The clauses of a term that are shares. */
export function shareClausesIn(term: Term): readonly ShareClause[] {
  return term.flatMap((clause) => {
    const share = shareOf(clause.condition)
    return share === undefined ? [] : [{ clause, share }]
  })
}

/** The shares in a condition, including those in groups, segments and other flags. */
export function sharesIn(condition: Condition): readonly Share[] {
  return [...visit(condition, "meanings")].filter((part) => part.kind === "share")
}

/** The condition for all users who have the attribute. */
export function shareOfAll({ by, seed }: ShareSeed): Share {
  return { kind: "share", by, from: 0, to: 100, seed }
}

/** Ranges without some others, as one range; `undefined` if none or several remain. */
export function rangeLeft(ranges: readonly Range[], without: readonly Range[]): Range | undefined {
  let from = Math.max(0, ...ranges.map((range) => range.from))
  let to = Math.min(100, ...ranges.map((range) => range.to))
  for (const gap of without.toSorted((a, b) => a.from - b.from)) {
    if (gap.to <= from || gap.from >= to) continue
    if (gap.from <= from) from = gap.to
    else if (gap.to >= to) to = gap.from
    else return undefined
  }
  return from < to ? { from, to } : undefined
}
