import type { SplitShare } from "../conditions/moves/group.ts"
import { rounded } from "../conditions/share-range.ts"

/** Users who had a value and get another. */
export interface MovedShare extends SplitShare {
  readonly before: string
}

/** Whether these users get a different value; a flag that is new gave none. */
export function isMoved(share: SplitShare): share is MovedShare {
  return share.before !== undefined && share.before !== share.after
}

/** How many percent move from each value to each other one. */
export function movedShares(shares: readonly SplitShare[]): readonly MovedShare[] {
  const groups = Map.groupBy(shares.filter(isMoved), ({ before, after }) => JSON.stringify([before, after]))
  return [...groups.values()].flatMap(([first, ...more]) =>
    first === undefined ? [] : [{ ...first, size: sumOf([first, ...more]) }],
  )
}

/** How many percent get a different value. */
export function movedSum(shares: readonly SplitShare[]): number {
  return sumOf(shares.filter(isMoved))
}

/** How many percent they are together. */
export function sumOf(shares: readonly Pick<SplitShare, "size">[]): number {
  return rounded(shares.reduce((sum, { size }) => sum + size, 0))
}

/** How many percent get each value. */
export function sizesBy(
  shares: readonly SplitShare[],
  side: "before" | "after",
): ReadonlyMap<string | undefined, number> {
  const byValue = Map.groupBy(shares, (share) => share[side])
  return new Map([...byValue].map(([value, alike]) => [value, sumOf(alike)]))
}

/** How many percent get a value, whatever gives it. */
export interface ShareStep {
  readonly value: string
  readonly from: number
  readonly to: number
}

/** How the share of each value changes. */
export function sizeSteps(shares: readonly SplitShare[]): readonly ShareStep[] {
  const [before, after] = [sizesBy(shares, "before"), sizesBy(shares, "after")]
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((value) =>
    value === undefined ? [] : [{ value, from: before.get(value) ?? 0, to: after.get(value) ?? 0 }],
  )
}
