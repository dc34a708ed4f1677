import type { Rule } from "../../../proxy/contract/snapshot.ts"
import { sameValue } from "../../compile/meaning/canonical-json.ts"
import { memberOf } from "../../compile/yaml/tree.ts"
import { attributeShare } from "../../conditions/share-range.ts"
import type { Location, Report } from "../../diagnostics/diagnostic.ts"
import { list } from "../../diagnostics/suggest.ts"
import { movedShares, sizesBy } from "../../phrases/deal-words.ts"
import type { RuleMatch } from "../differences/match-rules.ts"
import type { TransitionWithEffects } from "../effects/compared-flag.ts"
import type { Deal, Group } from "../effects/effect.ts"
import type { FlagOnBothSides } from "../sides/pair-flags.ts"
import { shareAttributes } from "../transitions/share-attributes.ts"
import { definedIn, locationOfEnvironment, locationOfMember, locationOfRule } from "./places.ts"

/** Everyone in a protected environment gets another value, or all but those whom conditions name. A new type has its own warning. */
export function everyoneChanges(
  pair: FlagOnBothSides,
  guarded: readonly TransitionWithEffects[],
  report: Report,
): void {
  if (pair.before.flag.type !== pair.after.flag.type) return
  const places = guarded.flatMap((transition) => {
    const group = certain(transition).find(({ terms }) => terms.some(isOfEveryone))
    if (group === undefined) return []
    const isAll = group.terms.some((term) => term.length === 0)
    return [
      { environment: transition.environment, isAll, location: locationOfChange(pair, transition, group) },
    ]
  })
  const byPlace = Map.groupBy(places, ({ location: { source, span }, isAll }) =>
    JSON.stringify([source.path, span.start, isAll]),
  )
  for (const own of byPlace.values()) {
    const [first] = own
    if (first === undefined) continue
    const whom = first.isAll ? "everyone" : "everyone whom no condition excepts"
    report.add({
      code: "everyone-changes",
      message: `In ${list(own.map(({ environment }) => environment))} ${whom} gets another value of \`${pair.after.flag.key}\` at once. Is that what you want?`,
      ...first.location,
    })
  }
}

function certain({ effects }: TransitionWithEffects): readonly Group[] {
  return effects.flatMap(({ group }) => (group === undefined || group.doubt !== undefined ? [] : [group]))
}

/** Whether a term only names those whom it excepts, and does not except all shares of an attribute. */
function isOfEveryone(term: Group["terms"][number]): boolean {
  return term.every(({ condition, holds }) => !holds && attributeShare(condition)?.to !== 100)
}

/** Where the change of a group was made. */
function locationOfChange(
  pair: FlagOnBothSides,
  { environment }: TransitionWithEffects,
  { moves }: Group,
): Location {
  const { before, after } = pair
  const written = definedIn(after, environment)
  const [wasOn, isOn] = [before, after].map((side) => side.configurations.get(environment)?.enabled === true)
  if (wasOn && !isOn) {
    const place = locationOfEnvironment(written === undefined ? before : after, environment)
    return { source: place.source, span: (written && memberOf(written.node, "enabled")?.value) ?? place.span }
  }
  const rule = moves.find((move) => move.after.rule !== undefined)?.after.rule
  const ofRule = rule && locationOfRule(after, environment, rule)
  if (ofRule !== undefined) return ofRule
  return sameValue(before.flag.defaultValue, after.flag.defaultValue)
    ? locationOfEnvironment(after, environment)
    : locationOfMember(after, "defaultValue")
}

/** A percentage or a split that takes from users what they had, jumps, or gives another value to many at once. */
export function sharesChanged(
  pair: FlagOnBothSides,
  transition: TransitionWithEffects,
  { isProtected, manyChange }: { readonly isProtected: boolean; readonly manyChange: number },
  report: Report,
): void {
  const { environment, before } = transition
  const groups = Map.groupBy(certain(transition), ({ deal }) => deal)
  for (const [deal, own] of groups) {
    const location = deal && locationOfDeal(pair, transition, own)
    if (deal === undefined || location === undefined) continue
    const { attribute, others, rest } = deal
    const add = (
      code: "shares-redealt" | "percentage-decreased" | "percentage-jumped" | "many-change",
      message: string,
    ) => report.add({ code, message: `In \`${environment}\` ${message}`, ...location })
    const moved = movedShares(deal.shares)
    const sum = Math.round(moved.reduce((all, { size }) => all + size, 0) * 1_000) / 1_000
    const wasDealt = before.some(
      ({ rule }) => rule !== undefined && shareAttributes(rule).includes(attribute),
    )
    const steps = stepsIn(deal)
    const isJump = steps.some(({ from, to }) => from === 0 && to === 100) && (isProtected || wasDealt)
    const had = sizesBy(deal.shares, "before")
    if (moved.some((one) => one.before !== others && one.after !== others && had.has(one.after)))
      add(
        "shares-redealt",
        `this split deals ${sum} % of its people again: they get another value. Let only the last share grow, or check that this is intended.`,
      )
    else
      for (const { value, from, to } of steps)
        if (to < from && (to > 0 || moved.some((one) => one.before === value && one.after === others)))
          add(
            "percentage-decreased",
            `the percentage falls from ${from} to ${to}: people lose what they had. Check that this is intended.`,
          )
    if (isJump) add("percentage-jumped", "the percentage goes straight from 0 to 100. Raise it in steps.")
    else if (isProtected && sum > manyChange && isOfEveryone(rest))
      add(
        "many-change",
        `${sum} % of users get another value at once, more than ${manyChange} %. Go in smaller steps, or check that this is intended.`,
      )
  }
}

/** How the share of each value changes, but that of what users get whom no share has. */
function stepsIn({
  shares,
  others,
}: Deal): readonly { readonly value: string; readonly from: number; readonly to: number }[] {
  const [before, after] = [sizesBy(shares, "before"), sizesBy(shares, "after")]
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((value) => value !== others)
    .map((value) => ({ value, from: before.get(value) ?? 0, to: after.get(value) ?? 0 }))
}

/** Where a rule is that deals after the change; else that of a rule that became of one that dealt. */
function locationOfDeal(
  pair: FlagOnBothSides,
  { environment, match }: TransitionWithEffects,
  groups: readonly Group[],
): Location | undefined {
  const moves = groups.flatMap((group) => group.moves)
  const isDealing = (rule: Rule | undefined) => rule !== undefined && shareAttributes(rule).length > 0
  const to = moves.find(({ after }) => isDealing(after.rule))?.after.rule
  const from = moves.find(({ before }) => isDealing(before.rule))?.before.rule
  const rule = to ?? match?.pairs.find(({ before }) => before === from)?.after
  return (
    (rule && locationOfRule(pair.after, environment, rule)) ?? locationOfEnvironment(pair.after, environment)
  )
}

/** A percentage that goes by another attribute than before. */
export function bucketingChanged(
  pair: FlagOnBothSides,
  { environment, match, moves }: TransitionWithEffects,
  report: Report,
): void {
  const isEnabled = [pair.before, pair.after].every((side) => side.configurations.get(environment)?.enabled)
  if (match === undefined || !isEnabled || moves.length === 0) return
  const places = new Map<number, Location>()
  for (const [before, after] of rulesThatBecame(match)) {
    const [by, nowBy] = [shareAttributes(before).toSorted(), shareAttributes(after).toSorted()]
    if (by.length === 0 || nowBy.length === 0 || sameValue(by, nowBy)) continue
    const location = locationOfRule(pair.after, environment, after, "attribute")
    if (location !== undefined) places.set(location.span.start, location)
  }
  for (const location of places.values())
    report.add({
      code: "bucketing-changed",
      message: `In \`${environment}\` this percentage goes by another attribute than before: users are dealt again, so many lose what they had. Keep the attribute, or start a new flag.`,
      ...location,
    })
}

/** Pairs of rules that give the same value, where the second one may have come for the first. */
function rulesThatBecame({ pairs, removed, added }: RuleMatch): readonly (readonly [Rule, Rule])[] {
  return [
    ...pairs.map(({ before, after }) => [before, after] as const),
    ...removed.flatMap(({ before }) => added.map(({ after }) => [before, after] as const)),
  ].filter(([before, after]) => sameValue(before.returnValue, after.returnValue))
}
