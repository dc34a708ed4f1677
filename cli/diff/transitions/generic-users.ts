import { type ParsedCondition, parseCondition } from "../../../sdk/evaluation/condition.ts"
import { attributeShare } from "../../conditions/share-range.ts"
import { operatorOf } from "../../language/operators.ts"
import type { Outcome } from "./outcomes.ts"

/** Generic users who have one outcome before and one after. */
export interface GenericShare {
  /** In percent of all generic users. */
  readonly size: number
  readonly before: Outcome
  readonly after: Outcome
}

interface Range {
  readonly from: number
  readonly to: number
}

/** The users within a range of each seed; a seed that is missing leaves no one out. */
type Region = ReadonlyMap<string, Range>

/** Where a seed's range must be divided before a condition holds for all of it or for none. */
interface Division {
  readonly seed: string
  readonly at: number
}

/** More regions than this are not looked at; a few seeds with the shares that people write make some hundreds. */
const mostRegions = 20_000

/**
 * What generic users get on both sides: those who have every attribute that the flag asks for, each with a value that no
 * rule names. Their shares are exact, because seeds are independent of each other. `key`: the flag's. Of a flag with very
 * many seeds, the shares that are returned are not all.
 */
export function genericShares(
  before: readonly Outcome[],
  after: readonly Outcome[],
  key: string,
): readonly GenericShare[] {
  const [decideBefore, decideAfter] = [createDeciding(before, key), createDeciding(after, key)]
  const shares: GenericShare[] = []
  const open: Region[] = [new Map()]
  for (let count = 0; count < mostRegions; count++) {
    const region = open.pop()
    if (region === undefined) break
    const [from, to] = [decideBefore(region), decideAfter(region)]
    if (from === undefined || to === undefined) continue
    const division = "seed" in from ? from : "seed" in to ? to : undefined
    if (division !== undefined) open.push(...halves(region, division))
    else if ("value" in from && "value" in to) shares.push({ size: sizeOf(region), before: from, after: to })
  }
  return shares
}

function createDeciding(outcomes: readonly Outcome[], key: string) {
  const rules = outcomes.map((outcome) => ({ outcome, parsed: outcome.rule && parseCondition(outcome.rule) }))
  return (region: Region): Outcome | Division | undefined => {
    for (const { outcome, parsed } of rules) {
      const answer = parsed === undefined || holdsIn(parsed, region, key)
      if (answer === true) return outcome
      if (answer !== false) return answer
    }
    return undefined
  }
}

/** Whether all generic users of a region fulfil a condition, or none does. */
function holdsIn(parsed: ParsedCondition, region: Region, key: string): boolean | Division {
  if (parsed.kind === "unreadable") return false
  if (parsed.kind === "comparison") return isInShare(parsed, region, key) ?? isGeneric(parsed)
  const isAll = parsed.kind === "all"
  let division: Division | undefined
  for (const part of parsed.parts) {
    const answer = holdsIn(part, region, key)
    if (answer === !isAll) return parsed.kind === "any"
    if (typeof answer === "object") division ??= answer
  }
  return division ?? parsed.kind !== "any"
}

/** `undefined` if the condition is no share. */
function isInShare(
  { condition }: ParsedCondition,
  region: Region,
  key: string,
): boolean | Division | undefined {
  const share = attributeShare(condition, key)
  if (share === undefined) return undefined
  const seed = JSON.stringify([share.attribute, share.seed])
  const { from, to } = region.get(seed) ?? everyone
  if (share.from <= from && to <= share.to) return true
  if (to <= share.from || share.to <= from) return false
  return { seed, at: from < share.from ? share.from : share.to }
}

/** Whether users whose attributes all have a value that no rule names fulfil a comparison. */
function isGeneric({ condition }: ParsedCondition): boolean {
  const { question, negates } = operatorOf(condition.operator) ?? {}
  if (question?.kind === "presence") return question.isPresent
  return (
    negates !== undefined || question?.kind === "always" || (question?.kind === "version" && question.isOther)
  )
}

const everyone: Range = { from: 0, to: 100 }

function halves(region: Region, { seed, at }: Division): readonly Region[] {
  const { from, to } = region.get(seed) ?? everyone
  return [
    { from: at, to },
    { from, to: at },
  ].map((range) => new Map([...region, [seed, range]]))
}

function sizeOf(region: Region): number {
  return [...region.values()].reduce((size, { from, to }) => (size * (to - from)) / 100, 100)
}
