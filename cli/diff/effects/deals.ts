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
import { type DealtShare, theRest } from "../../phrases/deal-words.ts"
import type { Outcome } from "../transitions/outcomes.ts"
import type { Transition } from "../transitions/transition.ts"
import type { Deal } from "./effect.ts"

/** Which users a term splits, and by what: the shares that change or, if attribute or seed changed, both. */
export interface TermDeal {
  /** Equal for terms that split the same users by the same shares. */
  readonly name: string
  readonly by: readonly ShareSeed[]
  readonly rest: Term
  /** Whether it is only for users who have the attribute. */
  readonly isOfShares: boolean
}

/** How terms split users; `undefined` for those without a share. */
export function createDealing(
  { before, after, scope }: Transition,
  { setOf, work }: Pick<Simplifying, "setOf" | "work">,
): (term: Term) => TermDeal | undefined {
  const isEmpty = createIsEmpty({ shapes: "plain", work })
  const [ends, newEnds] = [before, after].map((outcomes) => {
    const bySeed = Map.groupBy(sharesOf(outcomes, scope.seed), seedName)
    return new Map([...bySeed].map(([name, own]) => [name, String(endsOf(own))]))
  })
  return (term) => {
    const shares = term.flatMap(({ condition, holds }) => {
      const share = attributeShare(condition, scope.seed)
      return share === undefined ? [] : [{ share, holds, name: seedName(share) }]
    })
    const isChanged = ({ name }: { readonly name: string }) => ends?.get(name) !== newEnds?.get(name)
    const gone = shares.find((one) => isChanged(one) && !newEnds?.has(one.name))
    const added = shares.find((one) => isChanged(one) && !ends?.has(one.name))
    const rankOf = (one: (typeof shares)[number]) => (isChanged(one) ? 2 : 0) + (one.holds ? 1 : 0)
    const last = shares.toSorted((a, b) => rankOf(a) - rankOf(b)).at(-1)
    if (last === undefined) return undefined
    const own = gone && added ? [gone, added] : [last]
    if (term.some((clause) => own.some(({ share }) => namesUsers(clause, share.attribute)))) return undefined
    const names = own.map(({ name }) => name)
    const isPresence = ({ condition, holds }: Term[number]) =>
      holds &&
      presenceAsked(condition.operator) === true &&
      own.some(({ share }) => share.attribute === condition.attribute)
    const others = term.filter((clause) => {
      const share = attributeShare(clause.condition, scope.seed)
      return !isPresence(clause) && (share === undefined || !names.includes(seedName(share)))
    })
    // An excluded group with a share has no effect if the other clauses leave no one in the group.
    const rest = others.filter(
      (clause) =>
        !sharesIn(clause.condition, scope.seed).some((share) => names.includes(seedName(share))) ||
        !isEmpty(...others.map((one) => setOf(one === clause ? { ...one, holds: !one.holds } : one))),
    )
    return {
      name: JSON.stringify([names, rest.map(clauseName).sort()]),
      by: own.map(({ share: { attribute, seed } }) => ({ attribute, seed })),
      rest,
      isOfShares: term.some(isPresence) || shares.some(({ name, holds }) => holds && names.includes(name)),
    }
  }
}

/** Whether a clause lists its users: each is in a share or not, so there is no percentage of them. */
function namesUsers({ condition, holds }: Term[number], attribute: string): boolean {
  return holds && condition.attribute === attribute && namesTexts(condition)
}

/** A term whose users are split by shares, and what they get. */
export interface DealtTerm {
  readonly term: Term
  readonly before: Outcome
  readonly after: Outcome
}

type Range = Pick<AttributeShare, "from" | "to">
/**
 * Whether a condition is met within ranges of the shares, one for each seed; without ranges, by users outside all shares.
 */
type IsMet = (slot: readonly Range[] | undefined) => boolean | undefined

/** What each share of the users of terms gets. */
export function dealOf(
  terms: readonly DealtTerm[],
  { by, rest }: TermDeal,
  { before, after, isNew, scope }: Transition,
  { setOf, work }: Pick<Simplifying, "setOf" | "work">,
): Omit<Deal, "who"> | undefined {
  const key = scope.seed
  const dealer = by.at(-1)
  if (dealer === undefined) return undefined
  const names = by.map(seedName)
  const isDealtIn = (condition: Condition) =>
    sharesIn(condition, key).some((share) => names.includes(seedName(share)))
  const isEmpty = createIsEmpty({ shapes: "plain", work })
  const dealt = by.map((one) => setOf({ condition: shareUpTo({ ...one, to: 100 }), holds: true }))
  const facts = new Map(rest.map(({ condition, holds }) => [conditionName(condition), holds]))
  const whole = termSet(rest, setOf)
  if (isEmpty(whole, ...dealt)) return undefined // they all have a list

  const isMetIn = (condition: Condition, regions: readonly ContextSet[]): IsMet => {
    const share = attributeShare(condition, key)
    const at = share === undefined ? -1 : names.indexOf(seedName(share))
    if (share !== undefined && at >= 0)
      return (slot) => {
        const { from, to } = slot?.[at] ?? { from: -1, to: 0 }
        return share.from <= from && to <= share.to
      }
    const parts = isDealtIn(condition) ? partsOf(condition)?.map((part) => isMetIn(part, regions)) : undefined
    if (parts === undefined) {
      const isKnown = facts.get(conditionName(condition)) ?? searched(condition, regions)
      return () => isKnown
    }
    const [isAll, isAny] = [isGroup(condition, "all"), isGroup(condition, "any")]
    return (slot) => {
      const met = parts.map((part) => part(slot))
      if (met.includes(!isAll)) return isAny
      return met.includes(undefined) ? undefined : !isAny
    }
  }
  const searched = (condition: Condition, regions: readonly ContextSet[]): boolean | undefined => {
    if (isAlways(condition.operator)) return true
    const [met, unmet] = [true, false].map((holds) => setOf({ condition, holds }))
    if (met && isEmpty(...regions, met)) return false
    return unmet && isEmpty(...regions, unmet) ? true : undefined
  }
  /** What the remaining users get, by their range; `undefined` if that is not one value, or not known. */
  const valuesOf = (outcomes: readonly Outcome[], regions: readonly ContextSet[]) => {
    const rules = outcomes.map(({ rule, value }) => ({
      value,
      isMet: rule === undefined ? () => true : isMetIn(rule, regions),
      isShare: rule !== undefined && isDealtIn(rule),
    }))
    return (slot: readonly Range[] | undefined) => {
      const end = rules.findIndex(({ isMet }) => isMet(slot) === true)
      const may = rules.slice(0, end + 1).filter(({ isMet }) => isMet(slot) !== false)
      return may.every(({ value }) => value === may[0]?.value) ? may.at(-1) : undefined
    }
  }
  const others = [whole, complement(union(...dealt))]
  const hasOthers = !isEmpty(...others)
  const [was, is] = [before, after].map((outcomes) =>
    hasOthers ? valuesOf(outcomes, others)(undefined) : undefined,
  )
  const bySeed = Map.groupBy(sharesOf([...before, ...after], key), seedName)
  const slots = names
    .map((name) => rangesBetween(endsOf(bySeed.get(name) ?? [])))
    .reduce<readonly (readonly Range[])[]>(
      (slots, ranges) => slots.flatMap((slot) => ranges.map((range) => [...slot, range])),
      [[]],
    )
  const [valueBefore, valueAfter] = [before, after].map((outcomes) => valuesOf(outcomes, [whole, ...dealt]))
  // A sentence about users who all had one value also says what the rest get now.
  const had = was && slots.every((slot) => valueBefore?.(slot)?.value === was.value) ? was.value : undefined
  const isOther = had !== undefined && is?.value !== had
  const canSay = is !== undefined && slots.every((slot) => valueAfter?.(slot)?.value !== had)
  const restBefore = isOther && canSay && !isNew ? had : undefined
  const isAfter = isNew || restBefore !== undefined
  const [first, ...more] = slots.map((slot) => valueBefore?.(slot))
  const common =
    first?.isShare === false && more.every((one) => one?.value === first.value) ? first : undefined
  const ofNone = was ?? (hasOthers ? undefined : common)
  const ofRest = (isAfter ? (is ?? after.at(-1)) : (ofNone ?? before.at(-1)))?.value
  const covers = (term: Term, slot: readonly Range[]) =>
    term.every(
      ({ condition, holds }) =>
        attributeShare(condition) === undefined ||
        !isDealtIn(condition) ||
        isMetIn(condition, [])(slot) === holds,
    )
  let isKnown = !rest.some(({ condition }) => isDealtIn(condition)) && (!isOther || canSay)
  const nameOf = (one: { readonly value: string; readonly isShare?: boolean } | undefined, rest = ofRest) =>
    one === undefined || (one.isShare !== true && one.value === rest) ? theRest : one.value
  const shares = slots.map((slot): DealtShare => {
    const mover = terms.find(({ term }) => covers(term, slot))
    const [one, other] = [
      isNew ? undefined : (valueBefore?.(slot) ?? mover?.before),
      valueAfter?.(slot) ?? mover?.after,
    ]
    isKnown &&= (isNew || one !== undefined) && other !== undefined
    return {
      // Seeds are independent of each other.
      size: slot.reduce((size, { from, to }) => (size * (to - from)) / 100, 100),
      before: isNew ? undefined : nameOf(one, restBefore),
      after: nameOf(other),
      isMoved: one !== undefined && other !== undefined ? one.value !== other.value : mover !== undefined,
    }
  })
  return {
    ...dealer,
    dealtBefore: by.length > 1 ? by[0] : undefined,
    rest,
    shares,
    isKnown,
    ofRest: ofRest ?? "",
    restBefore,
  }
}

function sharesOf(outcomes: readonly Outcome[], key: string): readonly AttributeShare[] {
  return outcomes.flatMap(({ rule }) => (rule === undefined ? [] : sharesIn(rule, key)))
}

function seedName({ attribute, seed }: ShareSeed): string {
  return JSON.stringify([attribute, seed])
}

/** Where shares begin or end, in order. */
function endsOf(shares: readonly AttributeShare[]): readonly number[] {
  return [...new Set(shares.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b)
}

function rangesBetween(ends: readonly number[]): readonly Range[] {
  const all = [...new Set([0, ...ends, 100])].sort((a, b) => a - b)
  return all.slice(1).map((to, at) => ({ from: all[at] ?? 0, to }))
}
