import type { Term } from "../clause.ts"
import { complement, intersection, union } from "../context-set.ts"
import { type Range, type ShareSeed, seedName, shareOf, shareOfAll, sharesIn } from "../share-range.ts"
import { simplifyTerm } from "../simplify-term.ts"
import type { Solver } from "../solver.ts"
import type { Division } from "./division.ts"
import { createDeciding, type Deciding, type Given, givenBy } from "./given.ts"
import type { UserSplit } from "./group.ts"
import type { Outcome, Sides } from "./outcome.ts"
import { areArms, areFew, endsBySeed, rangesBetween } from "./share-ends.ts"

/** A term whose users are divided into shares, and what they get. */
export interface MovedTerm {
  readonly term: Term
  readonly before: Outcome
  readonly after: Outcome
}

/** Users in one range of each seed, what they got and what they get. */
interface Cell {
  /** In percent. */
  readonly size: number
  /** Which range of the last seed, from 0. */
  readonly range: number
  readonly before: Given | undefined
  readonly after: Given | undefined
}

/** What each share of the users of terms gets; `undefined` if they all have a list. */
export function userSplitOf(
  terms: readonly MovedTerm[],
  division: Division,
  sides: Sides,
  plain: Solver,
): UserSplit | undefined {
  const split = splitBySeeds(division.by, terms, division, sides, plain)
  if (split === undefined || split.isKnown) return split
  const seeds = [...followingSeeds(division, sides), ...division.by]
  const exact = areFew(seeds, [...sides.before, ...sides.after])
    ? splitBySeeds(seeds, terms, division, sides, plain)
    : undefined
  return exact?.isKnown ? exact : split
}

/** The seeds of rules that decide what the users get whom no share of a division picks. */
function followingSeeds({ by, rest }: Division, { before, after }: Sides): readonly ShareSeed[] {
  const decided = [...by, ...rest.flatMap(({ condition }) => sharesIn(condition))].map(seedName)
  const shares = [...before, ...after].flatMap(({ condition }) => sharesIn(condition))
  const following = shares.filter(
    (share) => by.some((seed) => seed.by === share.by) && !decided.includes(seedName(share)),
  )
  return [...new Map(following.map((share) => [seedName(share), share])).values()]
}

/** `seeds`: those whose ranges are combined; the last one is the division's. */
function splitBySeeds(
  seeds: readonly ShareSeed[],
  terms: readonly MovedTerm[],
  { by, instead, rest }: Division,
  sides: Sides,
  plain: Solver,
): UserSplit | undefined {
  const { before, after, isNew } = sides
  const whole = plain.unionOf([rest])
  const inShares = by.map((seed) => plain.setOf({ condition: shareOfAll(seed), holds: true }))
  if (plain.isEmpty(whole, ...inShares)) return undefined
  const deciding = createDeciding(seeds.map(seedName), rest, plain)
  const [some, all] = [union(...inShares), intersection(...inShares)]
  const outside = [whole, complement(some)]
  const hasOthers = !plain.isEmpty(...outside)
  const givenOutside = (outcomes: readonly Outcome[]) =>
    hasOthers ? givenBy(outcomes, outside, deciding)(undefined)?.value : undefined
  const others = { before: isNew ? undefined : givenOutside(before), after: givenOutside(after) }
  const cells = cellsOf(terms, seeds.map(seedName), sides, {
    deciding,
    given: [before, after].map((outcomes) => givenBy(outcomes, [whole, ...inShares], deciding)),
  })
  const [givenBefore, givenAfter] = [cells.map((cell) => cell.before), cells.map((cell) => cell.after)]
  const experiments = by.slice(0, -1).filter((seed) => areArms(before, [seed]))
  const isOfExperiment = (share: ShareSeed) => experiments.some((seed) => seedName(seed) === seedName(share))
  return {
    by,
    instead,
    who: simplifyTerm(rest, plain),
    shares: cells.map(({ size, range, before, after }) => {
      const isArm = before !== undefined && sharesIn(before.condition).some(isOfExperiment)
      return { size, range, before: before?.value, after: after?.value ?? "", isArm }
    }),
    armsBefore: armsIn(givenBefore),
    armsAfter: armsIn(givenAfter),
    restBefore: isNew ? undefined : restIn(before, givenBefore, others.before),
    restAfter: restIn(after, givenAfter, others.after),
    others,
    isKnown:
      !rest.some(({ condition }) => deciding.dependsOnShares(condition)) &&
      cells.every((cell) => cell.after !== undefined && (isNew || cell.before !== undefined)),
    coversOthers: !hasOthers || (others.after !== undefined && (isNew || others.before !== undefined)),
    isPartial:
      new Set(by.map((seed) => seed.by)).size > 1 &&
      !plain.isEmpty(plain.unionOf(terms.map(({ term }) => term)), some, complement(all)),
  }
}

/** What users get in each combination of the seeds' ranges: what rules give them or, if that is not known, a term's values. */
function cellsOf(
  terms: readonly MovedTerm[],
  names: readonly string[],
  { before, after, isNew }: Sides,
  {
    deciding: { isMet, dependsOnShares },
    given: [givenBefore, givenAfter],
  }: { readonly deciding: Deciding; readonly given: readonly ReturnType<typeof givenBy>[] },
): readonly Cell[] {
  const ends = endsBySeed([...before, ...after])
  const rangesOf = names.map((name) => rangesBetween(ends.get(name) ?? []))
  const combinations = rangesOf.reduce<readonly (readonly Range[])[]>(
    (all, ranges) => all.flatMap((combination) => ranges.map((range) => [...combination, range])),
    [[]],
  )
  const covers = ({ term }: MovedTerm, ranges: readonly Range[]) =>
    term.every(({ condition, holds }) => {
      const share = shareOf(condition)
      return share === undefined || !dependsOnShares(share) || isMet(share, [])(ranges) === holds
    })
  const givenOf = (outcome: Outcome | undefined) => outcome && { ...outcome, isShare: false }
  return combinations.map((ranges) => {
    const mover = terms.find((term) => covers(term, ranges))
    return {
      // Seeds are independent of each other.
      size: ranges.reduce((size, { from, to }) => (size * (to - from)) / 100, 100),
      range: rangesOf.at(-1)?.findIndex(({ from }) => from === ranges.at(-1)?.from) ?? 0,
      before: isNew ? undefined : (givenBefore?.(ranges) ?? givenOf(mover?.before)),
      after: givenAfter?.(ranges) ?? givenOf(mover?.after),
    }
  })
}

/** The values that shares give. */
function armsIn(given: readonly (Given | undefined)[]): ReadonlySet<string> {
  return new Set(given.flatMap((each) => (each?.isShare ? [each.value] : [])))
}

/** What users get whom no share picks. `others`: what those get who lack an attribute. */
function restIn(
  outcomes: readonly Outcome[],
  given: readonly (Given | undefined)[],
  others: string | undefined,
): string | undefined {
  const values = new Set(given.flatMap((each) => (each?.isShare === false ? [each.value] : [])))
  if (others !== undefined) values.add(others)
  const [value, ...more] = values
  return values.size === 0 ? outcomes.at(-1)?.value : more.length === 0 ? value : undefined
}
