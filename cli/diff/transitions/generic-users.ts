import type { Outcome } from "../../conditions/moves/outcome.ts"
import { type Range, rounded, seedName } from "../../conditions/share-range.ts"
import { type Comparison, type Condition, fold, type Share } from "../../language/condition.ts"
import { operators } from "../../language/operators.ts"

/** Generic users who have one outcome before and one after. */
export interface GenericShare {
  /** In percent of all generic users. */
  readonly size: number
  readonly before: Outcome
  readonly after: Outcome
}

/** The users within a range of each seed; a seed that is missing leaves no one out. */
type Region = ReadonlyMap<string, Range>

/** Where a seed's range must be divided before a condition holds for all of it or for none. */
interface Cut {
  readonly seed: string
  readonly at: number
}

/** More regions than this are not looked at; a few seeds with the shares that people write make some hundreds. */
const mostRegions = 20_000

/**
 * What generic users get on both sides: those who have every attribute that the flag asks for, each with a value that no
 * rule names. Their shares are exact, because seeds are independent of each other. Of a flag with very many seeds, the shares
 * that are returned are not all.
 */
export function genericShares(
  before: readonly Outcome[],
  after: readonly Outcome[],
): readonly GenericShare[] {
  const shares: GenericShare[] = []
  const open: Region[] = [new Map()]
  for (let count = 0; count < mostRegions; count++) {
    const region = open.pop()
    if (region === undefined) break
    const [from, to] = [decide(before, region), decide(after, region)]
    if (from === undefined || to === undefined) continue
    const cut = "seed" in from ? from : "seed" in to ? to : undefined
    if (cut !== undefined) open.push(...halves(region, cut))
    else if ("value" in from && "value" in to) shares.push({ size: sizeOf(region), before: from, after: to })
  }
  return shares
}

/** Those of the shares whose users get a different value, and how many percent they are together. */
export function movedGeneric(shares: readonly GenericShare[]): {
  readonly moved: readonly GenericShare[]
  readonly sum: number
} {
  const moved = shares.filter(({ before, after }) => before.value !== after.value)
  return { moved, sum: rounded(moved.reduce((sum, { size }) => sum + size, 0)) }
}

function decide(outcomes: readonly Outcome[], region: Region): Outcome | Cut | undefined {
  for (const outcome of outcomes) {
    const answer = holdsIn(outcome.condition, region)
    if (answer === true) return outcome
    if (answer !== false) return answer
  }
  return undefined
}

/** Whether all generic users of a region fulfil a condition, or none does. */
function holdsIn(condition: Condition, region: Region): boolean | Cut {
  return fold<boolean | Cut>(
    condition,
    (node, parts) => {
      if (node.kind === "comparison") return isGeneric(node)
      if (node.kind === "share") return isInShare(node, region)
      const ofNoParts = node.kind === "all" || node.kind === "none"
      if (parts.includes(node.kind !== "all")) return !ofNoParts // this part decides
      return parts.find((answer) => typeof answer === "object") ?? ofNoParts
    },
    "meanings",
  )
}

function isInShare(share: Share, region: Region): boolean | Cut {
  const seed = seedName(share)
  const { from, to } = region.get(seed) ?? everyone
  if (share.from <= from && to <= share.to) return true
  if (to <= share.from || share.to <= from) return false
  return { seed, at: from < share.from ? share.from : share.to }
}

/** Whether users whose attributes all have a value that no rule names fulfil a comparison. */
function isGeneric({ operator }: Comparison): boolean {
  const { question, negates } = operators.get(operator) ?? {}
  if (question?.kind === "presence") return question.isPresent
  return (
    negates !== undefined || question?.kind === "always" || (question?.kind === "version" && question.isOther)
  )
}

const everyone: Range = { from: 0, to: 100 }

function halves(region: Region, { seed, at }: Cut): readonly Region[] {
  const { from, to } = region.get(seed) ?? everyone
  return [
    { from: at, to },
    { from, to: at },
  ].map((range) => new Map([...region, [seed, range]]))
}

function sizeOf(region: Region): number {
  return [...region.values()].reduce((size, { from, to }) => (size * (to - from)) / 100, 100)
}
