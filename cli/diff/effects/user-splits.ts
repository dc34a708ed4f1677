import { type Condition, isGroup } from "../../../sdk/evaluation/condition.ts"
import { isAlways } from "../../../sdk/evaluation/operators.ts"
import { clauseName, conditionName, partsOf, type Term, termSet } from "../../conditions/clause.ts"
import { type ContextSet, complement, union } from "../../conditions/context-set.ts"
import {
  type AttributeShare,
  attributeShare,
  type ShareSeed,
  sharesIn,
  shareUpTo,
} from "../../conditions/share-range.ts"
import { createIsEmpty, type Simplifying } from "../../conditions/simplify-term.ts"
import { namesTexts, presenceAsked } from "../../language/comparisons.ts"
import type { SplitShare } from "../../phrases/user-split-words.ts"
import type { Outcome } from "../transitions/outcomes.ts"
import type { Transition } from "../transitions/transition.ts"
import type { UserSplit } from "./effect.ts"

/** How a term divides users into shares. */
export interface Division {
  /** Equal for terms that divide the same users by the same seeds. */
  readonly name: string
  /** The seeds whose shares change, or if none does, the last one; in front of them those of other rules. */
  readonly by: readonly ShareSeed[]
  /** The seed that the last one took the place of. */
  readonly instead: ShareSeed | undefined
  readonly rest: Term
  /** Whether it is only for users who have the attribute. */
  readonly isOfShares: boolean
}

type Solving = Pick<Simplifying, "setOf" | "work">

interface ShareClause {
  readonly clause: Term[number]
  readonly share: AttributeShare
  readonly holds: boolean
  readonly name: string
}

/** How a term divides users by one seed, or by the two of which one took the place of the other. */
interface NarrowDivision extends Division {
  /** Equal for terms that differ only in the shares of other seeds. */
  readonly wideName: string
  /** The seeds of other shares that the term asks for. */
  readonly outer: readonly ShareSeed[]
}

/** More combinations of shares are not listed. */
const mostCombinations = 500

/**
 * How terms divide users; `undefined` for those without a share. Where the same edit, such as a holdout, divides the shares of
 * another rule, the shares of both are combined. `terms`: those that are described together.
 */
export function createDividing(
  terms: readonly Term[],
  transition: Transition,
  solving: Solving,
): (term: Term) => Division | undefined {
  const narrow = createNarrowDividing(transition, solving)
  const rules = [...transition.before, ...transition.after].flatMap(({ rule }) => rule ?? [])
  const seedsOfRules = rules.map((rule) => new Set(sharesIn(rule, transition.scope.seed).map(seedName)))
  const ends = endsBySeed([...transition.before, ...transition.after], transition.scope.seed)
  const isOneRule = ({ by, outer }: NarrowDivision) =>
    seedsOfRules.some((seeds) => [by.at(-1), outer[0]].every((seed) => seed && seeds.has(seedName(seed))))
  const isOfExperiment = (division: NarrowDivision) =>
    !isOneRule(division) && areArms(transition.before, division.outer, transition.scope.seed)
  const countOf = ({ by, outer }: NarrowDivision) =>
    [...outer, ...by].reduce((count, seed) => count * ((ends.get(seedName(seed))?.length ?? 0) + 1), 1)
  const divisions = terms.flatMap((term) => narrow(term) ?? []).filter(({ isOfShares }) => isOfShares)
  const wide = new Set(
    [...Map.groupBy(divisions, ({ wideName }) => wideName)].flatMap(([wideName, alike]) => {
      const areSeveral = new Set(alike.map(({ name }) => name)).size > 1
      return (areSeveral || alike.some(isOfExperiment)) &&
        alike.every((one) => countOf(one) <= mostCombinations)
        ? [wideName]
        : []
    }),
  )
  const outerOf = (wideName: string) => {
    const seeds = divisions.flatMap((one) => (one.wideName === wideName ? one.outer : []))
    return [...new Map(seeds.map((seed) => [seedName(seed), seed])).values()]
  }
  return (term) => {
    const division = narrow(term)
    if (division === undefined || !wide.has(division.wideName)) return division
    const rest = division.rest.filter(({ condition }) => attributeShare(condition) === undefined)
    return { ...division, name: division.wideName, by: [...outerOf(division.wideName), ...division.by], rest }
  }
}

function createNarrowDividing({ before, after, scope }: Transition, { setOf, work }: Solving) {
  const isEmpty = createIsEmpty({ shapes: "plain", work })
  const [ends, newEnds] = [before, after].map(
    (outcomes) => new Map([...endsBySeed(outcomes, scope.seed)].map(([name, own]) => [name, String(own)])),
  )
  const isChanged = ({ name }: ShareClause) => ends?.get(name) !== newEnds?.get(name)
  return (term: Term): NarrowDivision | undefined => {
    const shares = term.flatMap((clause): readonly ShareClause[] => {
      const share = attributeShare(clause.condition, scope.seed)
      return share === undefined ? [] : [{ clause, share, holds: clause.holds, name: seedName(share) }]
    })
    const gone = shares.find((one) => isChanged(one) && !newEnds?.has(one.name))
    const added = shares.find((one) => isChanged(one) && !ends?.has(one.name))
    const rankOf = (one: ShareClause) => (isChanged(one) ? 2 : 0) + (one.holds ? 1 : 0)
    const last = shares.toSorted((a, b) => rankOf(a) - rankOf(b)).at(-1)
    if (last === undefined) return undefined
    const own = gone && added ? [gone, added] : [last]
    if (term.some((clause) => own.some(({ share }) => namesUsers(clause, share.attribute)))) return undefined
    const names = own.map(({ name }) => name)
    const isPresence = ({ condition, holds }: Term[number]) =>
      holds &&
      presenceAsked(condition.operator) === true &&
      own.some(({ share }) => share.attribute === condition.attribute)
    const isOwn = (clause: Term[number]) =>
      shares.some((one) => one.clause === clause && names.includes(one.name))
    const others = term.filter((clause) => !isPresence(clause) && !isOwn(clause))
    // An excluded group with a share has no effect if the other clauses leave no one in the group.
    const rest = others.filter(
      (clause) =>
        !sharesIn(clause.condition, scope.seed).some((share) => names.includes(seedName(share))) ||
        !isEmpty(...others.map((one) => setOf(one === clause ? { ...one, holds: !one.holds } : one))),
    )
    const nameOf = (clauses: Term) => JSON.stringify([names, clauses.map(clauseName).sort()])
    const isShare = ({ condition }: Term[number]) => attributeShare(condition) !== undefined
    return {
      name: nameOf(rest),
      wideName: nameOf(rest.filter((clause) => !isShare(clause))),
      by: own.map(({ share }) => seedOf(share)),
      outer: shares
        .filter(({ name, clause }) => !names.includes(name) && rest.includes(clause))
        .map(({ share }) => seedOf(share)),
      instead: gone && added && seedOf(gone.share),
      rest,
      isOfShares: term.some(isPresence) || shares.some(({ name, holds }) => holds && names.includes(name)),
    }
  }
}

/** Whether shares of some seeds give several values. */
function areArms(outcomes: readonly Outcome[], seeds: readonly ShareSeed[], key: string): boolean {
  const names = seeds.map(seedName)
  const isArm = ({ rule }: Outcome) =>
    rule !== undefined && sharesIn(rule, key).some((share) => names.includes(seedName(share)))
  return new Set(outcomes.filter(isArm).map(({ value }) => value)).size > 1
}

/** Whether a clause lists its users: each is in a share or not, so there is no percentage of them. */
function namesUsers({ condition, holds }: Term[number], attribute: string): boolean {
  return holds && condition.attribute === attribute && namesTexts(condition)
}

/** A term whose users are divided into shares, and what they get. */
export interface DividedTerm {
  readonly term: Term
  readonly before: Outcome
  readonly after: Outcome
}

type Range = Pick<AttributeShare, "from" | "to">

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
  terms: readonly DividedTerm[],
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

function sharesOf(outcomes: readonly Outcome[], key: string): readonly AttributeShare[] {
  return outcomes.flatMap(({ rule }) => (rule === undefined ? [] : sharesIn(rule, key)))
}

function seedOf({ attribute, seed }: ShareSeed): ShareSeed {
  return { attribute, seed }
}

function seedName({ attribute, seed }: ShareSeed): string {
  return JSON.stringify([attribute, seed])
}

/** Where the shares of each seed begin or end, in order. */
function endsBySeed(outcomes: readonly Outcome[], key: string): ReadonlyMap<string, readonly number[]> {
  const bySeed = Map.groupBy(sharesOf(outcomes, key), seedName)
  return new Map([...bySeed].map(([name, shares]) => [name, endsOf(shares)]))
}

function endsOf(shares: readonly AttributeShare[]): readonly number[] {
  return [...new Set(shares.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b)
}

function rangesBetween(ends: readonly number[]): readonly Range[] {
  const all = [...new Set([0, ...ends, 100])].sort((a, b) => a - b)
  return all.slice(1).map((to, at) => ({ from: all[at] ?? 0, to }))
}
