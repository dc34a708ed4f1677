import type { Share } from "../../language/condition.ts"
import { type Range, type ShareSeed, seedName, sharesIn } from "../share-range.ts"
import type { Outcome } from "./outcome.ts"

/** Where the shares of each seed begin or end, in order, by its name. */
export function endsBySeed(outcomes: readonly Outcome[]): ReadonlyMap<string, readonly number[]> {
  const shares = outcomes.flatMap(({ condition }) => sharesIn(condition))
  return new Map([...Map.groupBy(shares, seedName)].map(([name, alike]) => [name, endsOf(alike)]))
}

function endsOf(shares: readonly Share[]): readonly number[] {
  return [...new Set(shares.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b)
}

/** The ranges between these ends, from 0 to 100. */
export function rangesBetween(ends: readonly number[]): readonly Range[] {
  const all = [...new Set([0, ...ends, 100])].sort((a, b) => a - b)
  return all.slice(1).map((to, at) => ({ from: all[at] ?? 0, to }))
}

/** More combinations of shares are not listed. */
const mostCombinations = 500

/** Whether the combinations of the seeds' ranges are few enough to say what each gets. */
export function areFew(seeds: readonly ShareSeed[], outcomes: readonly Outcome[]): boolean {
  const ends = endsBySeed(outcomes)
  const count = seeds.reduce((count, seed) => count * ((ends.get(seedName(seed))?.length ?? 0) + 1), 1)
  return count <= mostCombinations
}

/** Whether shares of these seeds give several values. */
export function areArms(outcomes: readonly Outcome[], seeds: readonly ShareSeed[]): boolean {
  const names = seeds.map(seedName)
  const arms = outcomes.filter(({ condition }) =>
    sharesIn(condition).some((share) => names.includes(seedName(share))),
  )
  return new Set(arms.map(({ value }) => value)).size > 1
}

/** Whether the arms of a split, which shares of one of these seeds pick, give several values. */
export function areArmsOfSplit(outcomes: readonly Outcome[], seeds: readonly ShareSeed[]): boolean {
  const names = seeds.map(seedName)
  const arms = outcomes.filter(({ rule, condition }) => {
    // An arm's own share comes last, after the condition of its split.
    const share = condition.kind === "all" ? condition.parts.at(-1) : condition
    return rule?.item.split !== undefined && share?.kind === "share" && names.includes(seedName(share))
  })
  return new Set(arms.map(({ value }) => value)).size > 1
}
