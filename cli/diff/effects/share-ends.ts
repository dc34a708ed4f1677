import {
  type AttributeShare,
  type Range,
  type ShareSeed,
  seedName,
  sharesIn,
} from "../../conditions/share-range.ts"
import type { Outcome } from "../transitions/outcomes.ts"

function sharesOf(outcomes: readonly Outcome[], key: string): readonly AttributeShare[] {
  return outcomes.flatMap(({ rule }) => (rule === undefined ? [] : sharesIn(rule, key)))
}

/** The seed of a share. */
export function seedOf({ attribute, seed }: ShareSeed): ShareSeed {
  return { attribute, seed }
}

/** Where the shares of each seed begin or end, in order, by its name. */
export function endsBySeed(
  outcomes: readonly Outcome[],
  key: string,
): ReadonlyMap<string, readonly number[]> {
  const bySeed = Map.groupBy(sharesOf(outcomes, key), seedName)
  return new Map([...bySeed].map(([name, shares]) => [name, endsOf(shares)]))
}

function endsOf(shares: readonly AttributeShare[]): readonly number[] {
  return [...new Set(shares.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b)
}

/** The ranges between these ends, from 0 to 100. */
export function rangesBetween(ends: readonly number[]): readonly Range[] {
  const all = [...new Set([0, ...ends, 100])].sort((a, b) => a - b)
  return all.slice(1).map((to, at) => ({ from: all[at] ?? 0, to }))
}
