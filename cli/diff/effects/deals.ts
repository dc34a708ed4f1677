import { clauseName, type Term, termSet } from "../../conditions/clause.ts"
import { type ContextSet, complement, intersection } from "../../conditions/context-set.ts"
import {
  type AttributeShare,
  attributeShare,
  rangeLeft,
  sharesIn,
  shareUpTo,
} from "../../conditions/share-range.ts"
import { createIsEmpty, type IsEmpty, type Simplifying } from "../../conditions/simplify.ts"
import type { Outcome } from "../transitions/outcomes.ts"
import type { Transition } from "../transitions/transition.ts"
import type { Deal } from "./effect.ts"

/** A term that asks for a share of users: whom of, and by which seeds. */
interface ShareTerm extends Pick<AttributeShare, "attribute"> {
  readonly seeds: readonly string[]
  readonly rest: Term
}

/** Whom a term deals; `undefined` where it asks for no share, or not for one range of one attribute by each seed. */
function shareTerm(term: Term, key: string): ShareTerm | undefined {
  const parts = term.map((clause) => ({ clause, share: attributeShare(clause.condition, key) }))
  const rest = parts.flatMap(({ clause, share }) => (share === undefined ? [clause] : []))
  const shares = parts.flatMap(({ clause, share }) =>
    share === undefined ? [] : [{ ...share, holds: clause.holds }],
  )
  const attribute = shares.find(({ holds }) => holds)?.attribute
  if (attribute === undefined || shares.some((one) => one.attribute !== attribute)) return undefined
  const bySeed = Map.groupBy(shares, ({ seed }) => seed)
  const haveRanges = [...bySeed.values()].every((own) => {
    const [matched, others] = [true, false].map((holds) => own.filter((one) => one.holds === holds))
    return rangeLeft(matched ?? [], others ?? []) !== undefined
  })
  return haveRanges ? { attribute, seeds: [...bySeed.keys()].sort(), rest } : undefined
}

/** Text that is equal for terms that deal the same users by the same attribute and seeds; `""` for any other term. */
export function dealName(term: Term, key: string): string {
  const dealt = shareTerm(term, key)
  if (dealt === undefined) return ""
  return JSON.stringify([dealt.attribute, dealt.seeds, dealt.rest.map(clauseName).sort()])
}

/** Flags with more outcomes are not looked through for what each share gets. */
const mostOutcomes = 200

/** What each share gets of the users whom a term deals; `undefined` unless each gets one value. */
export function dealOf(
  term: Term,
  { before, after, isNew, scope }: Transition,
  { setOf, work }: Pick<Simplifying, "setOf" | "work">,
): Deal | undefined {
  const dealt = shareTerm(term, scope.seed)
  if (dealt === undefined || before.length + after.length > mostOutcomes) return undefined
  const { attribute, seeds, rest } = dealt
  const isEmpty = createIsEmpty({ shapes: "plain", work })
  const whole = termSet(rest, setOf)
  const upTo = (seed: string, to: number) =>
    setOf({ condition: shareUpTo({ attribute, seed, to }), holds: true })
  const endsBy = (seed: string, outcomes: readonly Outcome[]) =>
    outcomes
      .flatMap(({ rule }) => (rule === undefined ? [] : sharesIn(rule, scope.seed)))
      .flatMap((share) =>
        share.attribute === attribute && share.seed === seed ? [share.from, share.to] : [],
      )
  /** What the users get from one end to the next; `undefined` where that is not one value. */
  const valuesBy = (seed: string, ends: readonly number[], outcomes: readonly Outcome[]) => {
    let from = 0
    const shares: { readonly size: number; readonly value: string }[] = []
    for (const to of [...new Set([...ends, 100])].sort((a, b) => a - b)) {
      if (to <= 0 || to > 100) continue
      const value = valueIn(
        intersection(whole, upTo(seed, to), complement(upTo(seed, from))),
        outcomes,
        isEmpty,
      )
      if (value === undefined) return undefined
      shares.push({ size: to - from, value })
      from = to
    }
    return shares
  }
  const outside = intersection(whole, complement(upTo(seeds[0] ?? "", 100)))
  const others = valueIn(outside, after, isEmpty)
  if (others === undefined || (!isNew && valueIn(outside, before, isEmpty) !== others)) return undefined
  const [only = "", ...more] = seeds
  if (more.length === 0) {
    const ends = endsBy(only, [...before, ...after])
    const [was, is] = [isNew ? [] : valuesBy(only, ends, before), valuesBy(only, ends, after)]
    const shares = is?.map(({ size, value }, at) => ({ size, before: was?.[at]?.value, after: value }))
    return was && shares && { attribute, seed: only, rest, shares, others }
  }
  const seed = seeds.find((one) => endsBy(one, before).length === 0)
  const seedBefore = seeds.find((one) => endsBy(one, after).length === 0)
  if (seed === undefined || seedBefore === undefined || seeds.length > 2) return undefined
  const was = valuesBy(seedBefore, endsBy(seedBefore, before), before)
  const is = valuesBy(seed, endsBy(seed, after), after)
  // Two seeds deal independently of each other.
  const shares = was?.flatMap((one) =>
    (is ?? []).map((other) => ({
      size: (one.size * other.size) / 100,
      before: one.value,
      after: other.value,
    })),
  )
  return is && shares && { attribute, seed, seedBefore, rest, shares, others }
}

/** The value that all of a region's contexts get; `undefined` where they do not, or that is not known. */
function valueIn(region: ContextSet, outcomes: readonly Outcome[], isEmpty: IsEmpty): string | undefined {
  const values = new Set<string>()
  let left: readonly ContextSet[] = [region]
  for (const { contexts, value } of outcomes) {
    if (isEmpty(...left, contexts)) continue
    values.add(value)
    left = [...left, complement(contexts)]
    if (values.size > 1 || isEmpty(...left)) break
  }
  const [only, ...more] = values
  return more.length === 0 ? only : undefined
}
