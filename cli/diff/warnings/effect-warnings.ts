import type { Rule } from "../../../proxy/contract/snapshot.ts"
import { type ParsedCondition, parseCondition } from "../../../sdk/evaluation/condition.ts"
import { sameValue } from "../../compile/meaning/canonical-json.ts"
import { parseFlagUse } from "../../compile/meaning/open-condition.ts"
import { memberOf } from "../../compile/yaml/tree.ts"
import { always, conditionOf, partsOf, type Term } from "../../conditions/clause.ts"
import { negations } from "../../conditions/negations.ts"
import { type AttributeShare, attributeShare, rangeLeft, sharesIn } from "../../conditions/share-range.ts"
import type { Location, Report } from "../../diagnostics/diagnostic.ts"
import { list } from "../../diagnostics/suggest.ts"
import { movedShares, movedSum, shareSteps, sizesBy, theRest } from "../../phrases/deal-words.ts"
import { userWords } from "../../phrases/people.ts"
import { plainPhrase } from "../../phrases/phrase.ts"
import type { RuleMatch, RulePair } from "../differences/match-rules.ts"
import type { TransitionWithEffects } from "../effects/compared-flag.ts"
import type { Group } from "../effects/effect.ts"
import type { FlagOnBothSides } from "../sides/pair-flags.ts"
import type { Move } from "../transitions/moves.ts"
import type { Outcome } from "../transitions/outcomes.ts"
import { definedIn, locationOfEnvironment, locationOfMember, locationOfRule } from "./places.ts"

/**
 * Everyone in a protected environment gets another value, or everyone not excluded by conditions, or everyone may, as far as is
 * known. A new type has its own warning.
 */
export function everyoneChanges(
  pair: FlagOnBothSides,
  guarded: readonly TransitionWithEffects[],
  manyChange: number,
  report: Report,
): void {
  if (pair.before.flag.type !== pair.after.flag.type) return
  const places = guarded.flatMap((transition) => {
    const all = transition.effects.flatMap(({ group }) => group ?? [])
    const groupOf = (isIt: (group: Group) => boolean, most?: number) =>
      all.find((group) => isIt(group) && group.terms.some((term) => isOfEveryone(term, most)))
    const placeOf = (code: "everyone-changes" | "many-change", words: string, group?: Group) => [
      {
        environment: transition.environment,
        code,
        words,
        location: locationOfChange(pair, transition, group?.moves ?? []),
      },
    ]
    const everyone = groupOf(({ doubt }) => doubt === undefined)
    if (everyone !== undefined) {
      const isAll = everyone.terms.some((term) => term.length === 0)
      const whom = isAll ? "everyone gets" : "everyone not excluded by a condition gets"
      return placeOf("everyone-changes", `${whom} another value at once. Is that what you want?`, everyone)
    }
    // Shares have their own warnings, but for those in a sentence with other users.
    const many = groupOf(({ doubt, deal }) => doubt === undefined && deal === undefined, manyChange)
    if (many !== undefined)
      return placeOf(
        "many-change",
        `more than ${manyChange} % of users get another value at once. Go in smaller steps, or check that this is intended.`,
        many,
      )
    const doubtful = groupOf(({ doubt }) => doubt !== undefined, manyChange)
    return doubtful !== undefined || mayBeEveryone(transition, manyChange)
      ? placeOf(
          "everyone-changes",
          "everyone may get another value at once. Is that what you want?",
          doubtful,
        )
      : []
  })
  const byPlace = Map.groupBy(places, ({ location: { source, span }, words }) =>
    JSON.stringify([source.path, span.start, words]),
  )
  for (const own of byPlace.values()) {
    const [first] = own
    if (first === undefined) continue
    const { code, words, location } = first
    const message = `In ${list(own.map(({ environment }) => environment))} ${words}`
    report.add({ code, message, ...location })
  }
}

function certain({ effects }: TransitionWithEffects): readonly Group[] {
  return effects.flatMap(({ group }) => (group === undefined || group.doubt !== undefined ? [] : [group]))
}

/** Whether a term only excludes users, or asks for a share of more than `most` percent. */
function isOfEveryone(term: Term, most = 100): boolean {
  const sharesThat = (holds: boolean) =>
    term.flatMap((clause) => (clause.holds === holds ? (attributeShare(clause.condition) ?? []) : []))
  const { from, to } = rangeLeft(sharesThat(true), sharesThat(false)) ?? { from: 0, to: 0 }
  return term.every(({ condition, holds }) => {
    if (!holds) return asksForSome(parseCondition(condition))
    if (attributeShare(condition) !== undefined) return to - from > most
    const parts = partsOf(condition) ?? []
    return condition.operator === "none"
      ? parts.every((part) => asksForSome(parseCondition(part)))
      : condition.operator === "any" && parts.some((part) => isOfEveryone([{ condition: part, holds }], most))
  })
}

/** Whether a condition names some users; `notEquals` or a percentage of 100 leaves some out instead. */
function asksForSome(parsed: ParsedCondition): boolean {
  const { kind, condition } = parsed
  if (kind === "none") return false
  if (kind === "all") return parsed.parts.some(asksForSome)
  if (kind === "any") return parsed.parts.every(asksForSome)
  const isWide =
    negations.has(condition.operator) || /^(always|exists|semverNotEquals)$/.test(condition.operator)
  return !isWide && attributeShare(condition)?.to !== 100
}

/**
 * Whether the search was given up, and not only some users may be affected: another value then comes from an outcome that
 * is new, gone or in another order.
 */
function mayBeEveryone({ isCutShort, before, after }: TransitionWithEffects, manyChange: number): boolean {
  if (!isCutShort) return false
  const nameOf = ({ name, value }: Outcome) => `${value} ${name}`
  const [names, newNames] = [new Set(before.map(nameOf)), new Set(after.map(nameOf))]
  const kept = [...names].filter((name) => newNames.has(name))
  const isInOrder = kept.join() === [...newNames].filter((name) => names.has(name)).join()
  return [...before, ...after].some((outcome) => {
    const { rule } = outcome
    if ((isInOrder || rule === undefined) && kept.includes(nameOf(outcome))) return false
    if (rule === undefined || !asksForSome(parseCondition(rule))) return true
    return sharesIn(rule).some(({ from, to }) => to - from > manyChange)
  })
}

/** Where the change of a group was made. */
function locationOfChange(
  pair: FlagOnBothSides,
  { environment }: TransitionWithEffects,
  moves: readonly Move[],
): Location {
  const { before, after } = pair
  const written = definedIn(after, environment)
  if (isSwitchedOff(pair, environment)) {
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

function isSwitchedOff({ before, after }: FlagOnBothSides, environment: string): boolean {
  const [wasOn, isOn] = [before, after].map((side) => side.configurations.get(environment)?.enabled === true)
  return wasOn === true && isOn !== true
}

/** A percentage or a split that takes from users what they had, jumps, or gives another value to many at once. */
export function sharesChanged(
  pair: FlagOnBothSides,
  transition: TransitionWithEffects,
  { isProtected, manyChange }: { readonly isProtected: boolean; readonly manyChange: number },
  report: Report,
): void {
  const { environment, before, namesFor } = transition
  const groups = Map.groupBy(certain(transition), ({ deal }) => deal)
  for (const [deal, own] of groups) {
    const location = deal && locationOfDeal(pair, transition, own)
    if (deal === undefined || location === undefined) continue
    const { attribute, rest, shares } = deal
    const isDealtAgain = deal.dealtBefore !== undefined // which is `bucketing-changed`
    const add = (
      code: "shares-redealt" | "percentage-decreased" | "percentage-jumped" | "many-change",
      message: string,
    ) => report.add({ code, message: `In \`${environment}\` ${message}`, ...location })
    const moved = movedShares(shares)
    const sum = movedSum(shares)
    const wasDealt = before.some(
      ({ rule }) => rule !== undefined && sharesIn(rule).some((share) => share.attribute === attribute),
    )
    const steps = shareSteps(shares)
    const isJump = steps.some(({ from, to }) => from === 0 && to === 100) && (isProtected || wasDealt)
    // Some users may be most of them, but those whom a rule begins or ceases to be for are not counted.
    const isStep = steps.some(({ from }) => from > 0) && steps.some(({ to }) => to > 0)
    const had = sizesBy(shares, "before")
    if (
      !isDealtAgain &&
      moved.some((one) => one.before !== theRest && one.after !== theRest && had.has(one.after))
    )
      add(
        "shares-redealt",
        `this split gives ${sum} % of its users another value. Grow only the last share, or check that this is intended.`,
      )
    else if (!isDealtAgain)
      for (const { value, from, to } of steps) {
        const lost = moved.find((one) => one.before === value && one.after === theRest)
        if (lost === undefined && (to >= from || to === 0)) continue
        const how =
          to < from
            ? `falls from ${from} to ${to}: users`
            : `now picks other users: ${lost?.size ?? 0} % of them`
        add("percentage-decreased", `the percentage ${how} lose what they had. Check that this is intended.`)
      }
    if (isJump) add("percentage-jumped", "the percentage goes straight from 0 to 100. Raise it in steps.")
    else if (isProtected && sum > manyChange && (isOfEveryone(rest) || isStep)) {
      const [whom = "", unless = ""] = Object.values(
        userWords(conditionOf([rest]) ?? always, namesFor(own.flatMap(({ moves }) => moves))),
      ).map(plainPhrase)
      const but = unless === "" ? "," : `,${unless}:`
      add(
        "many-change",
        `${sum} % of users${whom} get another value at once${but} more than ${manyChange} %. Go in smaller steps, or check that this is intended.`,
      )
    }
  }
}

/** The place of a rule with shares after the change, or else of the rule that replaced one. */
function locationOfDeal(
  pair: FlagOnBothSides,
  transition: TransitionWithEffects,
  groups: readonly Group[],
): Location | undefined {
  const { environment, match } = transition
  const [group] = groups
  if (group !== undefined && isSwitchedOff(pair, environment))
    return locationOfChange(pair, transition, group.moves)
  const moves = groups.flatMap((group) => group.moves)
  const isDealing = (rule: Rule | undefined) => rule !== undefined && sharesIn(rule).length > 0
  const to = moves.find(({ after }) => isDealing(after.rule))?.after.rule
  const from = moves.find(({ before }) => isDealing(before.rule))?.before.rule
  const rule = to ?? match?.pairs.find(({ before }) => before === from)?.after
  return (
    (rule && locationOfRule(pair.after, environment, rule)) ?? locationOfEnvironment(pair.after, environment)
  )
}

/** A percentage or a split that goes by another attribute or seed than before. */
export function bucketingChanged(
  pair: FlagOnBothSides,
  transition: TransitionWithEffects,
  report: Report,
): void {
  const { environment, match, moves, scope } = transition
  const isEnabled = [pair.before, pair.after].every((side) => side.configurations.get(environment)?.enabled)
  if (match === undefined || !isEnabled || moves.length === 0) return
  const places = new Map<number, Parameters<Report["add"]>[0]>()
  for (const [before, after] of rulesThatBecame(match)) {
    const [shares, newShares] = [sharesIn(before, scope.seed), sharesIn(after, scope.seed)]
    const differ = (nameOf: (share: AttributeShare) => string) => {
      const [names, newNames] = [shares.map(nameOf), newShares.map(nameOf)]
      // A share that is only added or only removed re-buckets no one.
      return (
        !names.every((name) => newNames.includes(name)) && !newNames.every((name) => names.includes(name))
      )
    }
    if (shares.length === 0 || newShares.length === 0) continue
    const isOther = differ(({ attribute }) => attribute)
    if (!isOther && !differ(({ attribute, seed }) => JSON.stringify([attribute, seed]))) continue
    const location = locationOfRule(pair.after, environment, after, "attribute")
    if (location === undefined) continue
    const dealt = certain(transition).find(
      ({ deal, moves }) => deal?.dealtBefore !== undefined && moves.some((move) => move.after.rule === after),
    )?.deal?.shares
    const what = dealt && shareSteps(dealt).length > 1 ? "split" : "percentage"
    const howMany = dealt ? `${movedSum(dealt)} % of them` : "many"
    const message = isOther
      ? `uses another attribute than before: users are re-bucketed, and ${howMany} get another value. Keep the attribute, or start a new flag.`
      : `has another seed than before: users are re-bucketed, and ${howMany} get another value. Keep the seed, or check that this is intended.`
    places.set(location.span.start, {
      code: "bucketing-changed",
      message: `In \`${environment}\` this ${what} ${message}`,
      ...location,
    })
  }
  for (const diagnostic of places.values()) report.add(diagnostic)
}

/**
 * Pairs of rules that give the same value, where the second one may have come for the first; without those that only follow
 * another flag, which has the warning itself.
 */
function rulesThatBecame({ pairs, removed, added }: RuleMatch): readonly (readonly [Rule, Rule])[] {
  const followsFlag = ({ segments }: RulePair) =>
    segments?.every((name) => parseFlagUse(name) !== undefined) === true
  return [
    ...pairs.filter((pair) => !followsFlag(pair)).map(({ before, after }) => [before, after] as const),
    ...removed.flatMap(({ before }) => added.map(({ after }) => [before, after] as const)),
  ].filter(([before, after]) => sameValue(before.returnValue, after.returnValue))
}
