import { type ParsedCondition, parseCondition } from "../../../sdk/evaluation/condition.ts"
import { clauseName, type Term, termSet } from "../../conditions/clause.ts"
import { type ContextSet, complement, intersection } from "../../conditions/context-set.ts"
import { type AttributeShare, attributeShare, rangeLeft, shareUpTo } from "../../conditions/share-range.ts"
import { createIsEmpty, type IsEmpty, type Simplifying } from "../../conditions/simplify.ts"
import type { DealtRange } from "../../phrases/deal-words.ts"
import type { Outcome } from "../transitions/outcomes.ts"
import type { Transition } from "../transitions/transition.ts"
import type { Deal, Group } from "./effect.ts"

/** A term that asks for a share of users: whom of, and which. */
interface ShareTerm extends AttributeShare {
  readonly rest: Term
}

/** The share that a term asks for; `undefined` where it asks for none, or not for one range of one attribute and seed. */
function shareTerm(term: Term): ShareTerm | undefined {
  const parts = term.map(({ condition, holds }) => ({ share: attributeShare(condition), holds }))
  const rest = term.filter((_, at) => parts[at]?.share === undefined)
  const sharesThat = (holds: boolean) =>
    parts.flatMap((part) => (part.holds === holds ? (part.share ?? []) : []))
  const [shares, others] = [sharesThat(true), sharesThat(false)]
  const [first] = shares
  if (first === undefined) return undefined
  const { attribute, seed } = first
  if ([...shares, ...others].some((one) => one.attribute !== attribute || one.seed !== seed)) return undefined
  const range = rangeLeft(shares, others)
  return range && { ...range, attribute, seed, rest }
}

/** Text that is equal for terms that deal the same users by the same attribute; `""` for any other term. */
export function dealName(term: Term): string {
  const share = shareTerm(term)
  return share === undefined
    ? ""
    : JSON.stringify([share.attribute, share.seed, share.rest.map(clauseName).sort()])
}

/** Flags with more outcomes are not looked through for what each share gets. */
const mostOutcomes = 200

/** What each share of the users gets whom the groups deal; `undefined` unless each gets one value. */
export function dealOf(
  groups: readonly Group[],
  transition: Transition,
  simplifying: Simplifying,
): Deal | undefined {
  const { before, after, isNew } = transition
  const [first] = groups.flatMap(({ terms }) => terms.flatMap((term) => shareTerm(term) ?? []))
  if (first === undefined || before.length + after.length > mostOutcomes) return undefined
  const { attribute, seed, rest } = first
  const { setOf, work } = simplifying
  const isEmpty = createIsEmpty({ shapes: "plain", work })
  const whole = termSet(rest, setOf)
  const upTo = (value: number) => setOf({ condition: shareUpTo({ attribute, seed, to: value }), holds: true })
  const ends = [...before, ...after].flatMap(({ rule }) =>
    rule === undefined ? [] : endsIn(parseCondition(rule), first),
  )
  const shares: DealtRange[] = []
  let from = 0
  for (const to of [...new Set([...ends, 100])].sort((a, b) => a - b)) {
    if (to <= 0 || to > 100) continue
    const group = groups.find(({ terms }) =>
      terms.some((term) => {
        const share = shareTerm(term)
        return share !== undefined && share.from <= from && to <= share.to
      }),
    )
    const region = intersection(whole, upTo(to), complement(upTo(from)))
    const [one, other] = group
      ? [group.before?.value, group.after.value]
      : [isNew ? undefined : valueIn(region, before, isEmpty), valueIn(region, after, isEmpty)]
    if (other === undefined || (!isNew && group === undefined && one !== other)) return undefined
    shares.push({ from, to, before: one, after: other })
    from = to
  }
  const outside = intersection(whole, complement(upTo(100)))
  const others = valueIn(outside, after, isEmpty)
  if (others === undefined || (!isNew && valueIn(outside, before, isEmpty) !== others)) return undefined
  return { attribute, seed, rest, shares, others }
}

function endsIn(parsed: ParsedCondition, by: Pick<AttributeShare, "attribute" | "seed">): readonly number[] {
  if ("parts" in parsed) return parsed.parts.flatMap((part) => endsIn(part, by))
  const share = attributeShare(parsed.condition)
  return share?.attribute === by.attribute && share.seed === by.seed ? [share.from, share.to] : []
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
