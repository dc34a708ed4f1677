import { type Condition, isGroup } from "../../../sdk/evaluation/condition.ts"
import { isAlways } from "../../../sdk/evaluation/operators.ts"
import { conditionName, partsOf, type Term, termSet } from "../../conditions/clause.ts"
import { type ContextSet, complement, union } from "../../conditions/context-set.ts"
import { attributeShare, type Range, seedName, sharesIn, shareUpTo } from "../../conditions/share-range.ts"
import { createIsEmpty } from "../../conditions/simplify-term.ts"
import type { SplitShare } from "../../phrases/user-split-words.ts"
import type { Outcome } from "../transitions/outcomes.ts"
import type { Transition } from "../transitions/transition.ts"
import { areArms, type Division, type Solving } from "./divisions.ts"
import type { UserSplit } from "./effect.ts"
import { endsBySeed, rangesBetween } from "./share-ends.ts"

/** A term whose users are divided into shares, and what they get. */
export interface MovedTerm {
  readonly term: Term
  readonly before: Outcome
  readonly after: Outcome
}

/** A range of each seed; `undefined`: users outside all of them, who lack an attribute. */
type Combination = readonly Range[] | undefined

/** Whether a condition is met within ranges of the shares; `undefined` if that is not known. */
type IsMet = (ranges: Combination) => boolean | undefined

/** What a range of users gets, and whether a share gives it. */
interface Given {
  readonly value: string
  readonly isShare: boolean
}

/** What each share of the users of terms gets; `undefined` if they all have a list. */
export function splitOf(
  terms: readonly MovedTerm[],
  { by, instead, rest }: Division,
  { before, after, isNew, scope }: Transition,
  solving: Solving,
): Omit<UserSplit, "who"> | undefined {
  const names = by.map(seedName)
  const isEmpty = createIsEmpty({ shapes: "plain", work: solving.work })
  const inShares = by.map((seed) =>
    solving.setOf({ condition: shareUpTo({ ...seed, to: 100 }), holds: true }),
  )
  const whole = termSet(rest, solving.setOf)
  if (isEmpty(whole, ...inShares)) return undefined
  const isMetIn = createIsMetIn({ names, rest, key: scope.seed, solving })
  const outside = [whole, complement(union(...inShares))]
  const hasOthers = !isEmpty(...outside)
  const [was, is] = [before, after].map((outcomes) => {
    const given = hasOthers ? givenIn(outcomes, outside, isMetIn)(undefined) : undefined
    return given?.value
  })
  const ends = endsBySeed([...before, ...after], scope.seed)
  const rangesOf = names.map((name) => rangesBetween(ends.get(name) ?? []))
  const combinations = rangesOf.reduce<readonly (readonly Range[])[]>(
    (all, ranges) => all.flatMap((one) => ranges.map((range) => [...one, range])),
    [[]],
  )
  const [givenBefore, givenAfter] = [before, after].map((outcomes) =>
    givenIn(outcomes, [whole, ...inShares], isMetIn),
  )
  const covers = (term: Term, ranges: readonly Range[]) =>
    term.every(
      ({ condition, holds }) =>
        attributeShare(condition) === undefined ||
        !isMetIn.dependsOnShares(condition) ||
        isMetIn.of(condition, [])(ranges) === holds,
    )
  const given = combinations.map((ranges) => {
    const mover = terms.find(({ term }) => covers(term, ranges))
    const givenBy = (outcome: Outcome | undefined) => outcome && { value: outcome.value, isShare: false }
    return {
      // Seeds are independent of each other.
      size: ranges.reduce((size, { from, to }) => (size * (to - from)) / 100, 100),
      range: rangesOf.at(-1)?.findIndex(({ from }) => from === ranges.at(-1)?.from) ?? 0,
      before: isNew ? undefined : (givenBefore?.(ranges) ?? givenBy(mover?.before)),
      after: givenAfter?.(ranges) ?? givenBy(mover?.after),
    }
  })
  const restOf = (
    outcomes: readonly Outcome[],
    values: readonly (Given | undefined)[],
    other: string | undefined,
  ) => {
    const left = new Set(values.flatMap((one) => (one?.isShare === false ? [one.value] : [])))
    if (other !== undefined) left.add(other)
    return left.size === 1 ? [...left][0] : left.size === 0 ? outcomes.at(-1)?.value : undefined
  }
  const armsIn = (values: readonly (Given | undefined)[]) =>
    new Set(values.flatMap((one) => (one?.isShare ? [one.value] : [])))
  return {
    by,
    instead,
    rest,
    shares: given.map(
      ({ before: from, after: to, ...share }): SplitShare => ({
        ...share,
        before: from?.value,
        after: to?.value ?? "",
      }),
    ),
    armsBefore: armsIn(given.map((one) => one.before)),
    armsAfter: armsIn(given.map((one) => one.after)),
    restBefore: isNew
      ? undefined
      : restOf(
          before,
          given.map((one) => one.before),
          was,
        ),
    restAfter: restOf(
      after,
      given.map((one) => one.after),
      is,
    ),
    isExperiment: areArms(before, by.slice(0, -1), scope.seed),
    others: { before: isNew ? undefined : was, after: is },
    isKnown:
      !rest.some(({ condition }) => isMetIn.dependsOnShares(condition)) &&
      given.every((one) => one.after !== undefined && (isNew || one.before !== undefined)),
    coversOthers: !hasOthers || (is !== undefined && (isNew || was !== undefined)),
  }
}

interface Meeting {
  readonly of: (condition: Condition, regions: readonly ContextSet[]) => IsMet
  /** Whether a condition has a share of one of the seeds. */
  readonly dependsOnShares: (condition: Condition) => boolean
}

/** Decides conditions for ranges of shares: the shares by the ranges, the rest by the clauses of the term, or by a search. */
function createIsMetIn({
  names,
  rest,
  key,
  solving: { setOf, work },
}: {
  readonly names: readonly string[]
  readonly rest: Term
  readonly key: string
  readonly solving: Solving
}): Meeting {
  const isEmpty = createIsEmpty({ shapes: "plain", work })
  const facts = new Map(rest.map(({ condition, holds }) => [conditionName(condition), holds]))
  const dependsOnShares = (condition: Condition) =>
    sharesIn(condition, key).some((share) => names.includes(seedName(share)))
  const search = (condition: Condition, regions: readonly ContextSet[]): boolean | undefined => {
    if (isAlways(condition.operator)) return true
    const [met, unmet] = [true, false].map((holds) => setOf({ condition, holds }))
    if (met && isEmpty(...regions, met)) return false
    return unmet && isEmpty(...regions, unmet) ? true : undefined
  }
  const of: Meeting["of"] = (condition, regions) => {
    const share = attributeShare(condition, key)
    const at = share === undefined ? -1 : names.indexOf(seedName(share))
    if (share !== undefined && at >= 0)
      return (ranges) => {
        const { from, to } = ranges?.[at] ?? { from: -1, to: 0 }
        return share.from <= from && to <= share.to
      }
    const parts = dependsOnShares(condition)
      ? partsOf(condition)?.map((part) => of(part, regions))
      : undefined
    if (parts === undefined) {
      const isKnown = facts.get(conditionName(condition)) ?? search(condition, regions)
      return () => isKnown
    }
    const [isAll, isAny] = [isGroup(condition, "all"), isGroup(condition, "any")]
    return (ranges) => {
      const met = parts.map((part) => part(ranges))
      if (met.includes(!isAll)) return isAny
      return met.includes(undefined) ? undefined : !isAny
    }
  }
  return { of, dependsOnShares }
}

/** What users get by their ranges; `undefined` if that is not one value, or not known. */
function givenIn(outcomes: readonly Outcome[], regions: readonly ContextSet[], isMetIn: Meeting) {
  const rules = outcomes.map(({ rule, value }) => ({
    value,
    isMet: rule === undefined ? () => true : isMetIn.of(rule, regions),
    isShare: rule !== undefined && isMetIn.dependsOnShares(rule),
  }))
  return (ranges: Combination): Given | undefined => {
    const end = rules.findIndex(({ isMet }) => isMet(ranges) === true)
    const may = rules.slice(0, end + 1).filter(({ isMet }) => isMet(ranges) !== false)
    return may.every(({ value }) => value === may[0]?.value) ? may.at(-1) : undefined
  }
}
