import type { Rule } from "../../../sdk/contract/snapshot.ts"
import { sameValue } from "../../compile/meaning/canonical-json.ts"
import { type AttributeShare, attributeShare, sharesIn } from "../../conditions/share-range.ts"
import type { Location } from "../../diagnostics/diagnostic.ts"
import { movedShares, movedSum, shareSteps, sizesBy, theRest } from "../../phrases/deal-words.ts"
import { type Phrase, phrase } from "../../phrases/phrase.ts"
import { percent } from "../../phrases/share-words.ts"
import { userWords } from "../../phrases/users.ts"
import type { RuleMatch, RulePair } from "../differences/match-rules.ts"
import type { TransitionWithEffects } from "../effects/compared-flag.ts"
import type { Deal, Group } from "../effects/effect.ts"
import type { FlagOnBothSides } from "../sides/pair-flags.ts"
import { percentOf } from "./everyone-changes.ts"
import { locationOfChange, locationOfRule, type Warn, type Warning } from "./places.ts"

interface ShareContext {
  readonly isProtected: boolean
  /** Whether another warning is that everyone gets a different value. */
  readonly isForEveryone: boolean
  /** What `bucketing-changed` is about. */
  readonly rebucketed: ReadonlySet<Deal>
  readonly manyChange: number
}

/** Warns of a percentage or a split that takes away what users had, jumps, or gives many a different value at once. */
export function sharesChanged(
  pair: FlagOnBothSides,
  transition: TransitionWithEffects,
  { isProtected, isForEveryone, rebucketed, manyChange }: ShareContext,
  warn: Warn,
): void {
  const { before, namesFor } = transition
  const most = isProtected && !isForEveryone ? manyChange : 100
  if (!isForEveryone) changedOutsideShares(pair, transition, most, warn)
  const groups = Map.groupBy(certain(transition), ({ deal }) => deal)
  for (const [deal, own] of groups) {
    if (deal === undefined) continue
    const location = locationOfDeal(pair, transition, own)
    const { attribute, rest, shares } = deal
    const isDealtAgain = deal.dealtBefore !== undefined // which is `bucketing-changed`
    const add = (
      code: "shares-redealt" | "percentage-decreased" | "percentage-jumped" | "many-change",
      words: Phrase,
    ) => warn({ code, words, ...location })
    const { whom, unless } = userWords(deal.who, namesFor(own.flatMap(({ moves }) => moves)))
    const moved = movedShares(shares)
    const sum = movedSum(shares)
    const wasDealt = before.some(
      ({ rule }) => rule !== undefined && sharesIn(rule).some((share) => share.attribute === attribute),
    )
    const steps = shareSteps(shares)
    const isOtherValue = steps.some(({ from, to }) => from === 100 && to === 0) // for all whom it reached
    const isJump =
      !isOtherValue &&
      steps.some(({ from, to }) => from === 0 && to === 100) &&
      (isProtected || wasDealt) &&
      !isForEveryone
    // Some users may be most users, but adding or removing a rule for them does not count.
    const isStep = steps.some(({ from }) => from > 0) && steps.some(({ to }) => to > 0)
    const had = sizesBy(shares, "before")
    let warned = rebucketed.has(deal) ? sum : 0
    if (
      !isDealtAgain &&
      moved.some((one) => one.before !== theRest && one.after !== theRest && had.has(one.after))
    ) {
      warned = sum
      add(
        "shares-redealt",
        phrase`this split gives ${sum} % of its users${whom} a different value. Grow only the last share, or check that this is intended.`,
      )
    } else if (!isDealtAgain) {
      const taken = steps.flatMap(({ value, from, to }) => {
        const lost = moved.find((one) => one.before === value && one.after === theRest)
        return lost === undefined && (to >= from || to === 0) ? [] : [{ from, to, lost }]
      })
      const falling = taken.filter(({ from, to }) => to < from)
      warned = falling.reduce((all, { from, to }) => all + from - to, 0)
      const falls = new Set(falling.map(({ from, to }) => `from ${from} to ${to}`))
      const ofWhom = whom.length === 0 ? [] : phrase` of users${whom}`
      const [percentages, fall] = falling.length > 1 ? ["percentages", "fall"] : ["percentage", "falls"]
      const sentences = [
        ...(falls.size > 0
          ? [phrase`${[percentages]}${ofWhom} ${[fall]} ${[[...falls].join(" and ")]}: users`]
          : []),
        ...taken.flatMap(({ from, to, lost }) =>
          to < from ? [] : [phrase`percentage${ofWhom} now picks different users: ${lost?.size ?? 0} %`],
        ),
      ]
      for (const sentence of sentences)
        add("percentage-decreased", phrase`the ${sentence} lose what they had. Check that this is intended.`)
    }
    if (isJump) add("percentage-jumped", ["the percentage goes straight from 0 to 100. Raise it in steps."])
    else if (sum > most && sum - warned > 1e-6 && ((sum * percentOf(rest)) / 100 > most || isStep)) {
      const but = unless.length === 0 ? [","] : phrase`,${unless}:`
      add(
        "many-change",
        phrase`${sum} % of users${whom} get a different value at once${but} more than ${most} %. Take smaller steps, or check that this is intended.`,
      )
    }
  }
}

/** The place of a rule with shares after the change, or else of what replaced one. */
function locationOfDeal(
  pair: FlagOnBothSides,
  transition: TransitionWithEffects,
  groups: readonly Group[],
): Location {
  const moves = groups.flatMap((group) => group.moves)
  const rule = moves.find(({ after }) => after.rule !== undefined && sharesIn(after.rule).length > 0)?.after
    .rule
  return (
    (rule && locationOfRule(pair.after, transition.environment, rule)) ??
    locationOfChange(pair, transition, moves)
  )
}

/** Users outside all shares: everyone whom a percentage does not keep, or many who get a different value. */
function changedOutsideShares(
  pair: FlagOnBothSides,
  transition: TransitionWithEffects,
  most: number,
  warn: Warn,
): void {
  for (const { before, after, deal, terms, moves } of certain(transition)) {
    const changed = Math.max(...terms.map(percentOf))
    if (deal !== undefined || changed === 0 || changed === 100) continue
    const isPercentage =
      after.rule === undefined &&
      !moves.some(({ before }) => before.rule !== undefined && sharesIn(before.rule).length > 0) &&
      transition.after.some(({ rule, value }) => rule && value === before?.value && attributeShare(rule))
    const location = locationOfChange(pair, transition, moves)
    if (isPercentage)
      warn({
        code: "percentage-decreased",
        words: [
          `the percentage falls from 100 to ${percent(100 - changed)}: users lose what they had. Check that this is intended.`,
        ],
        ...location,
      })
    else if (changed > most)
      warn({
        code: "many-change",
        words: [
          `more than ${most} % of users get a different value at once. Take smaller steps, or check that this is intended.`,
        ],
        ...location,
      })
  }
}

/** Warns of a percentage or a split whose attribute or seed changed. Returns what it warned of. */
export function bucketingChanged(
  pair: FlagOnBothSides,
  transition: TransitionWithEffects,
  warn: Warn,
): ReadonlySet<Deal> {
  const { environment, match, moves, scope } = transition
  const isEnabled = [pair.before, pair.after].every((side) => side.configurations.get(environment)?.enabled)
  const rebucketed = new Set<Deal>()
  if (match === undefined || !isEnabled || moves.length === 0) return rebucketed
  const places = new Map<number, Warning>()
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
    const deal = certain(transition).find(
      ({ deal, moves }) => deal?.dealtBefore !== undefined && moves.some((move) => move.after.rule === after),
    )?.deal
    if (deal !== undefined) rebucketed.add(deal)
    const what = deal && shareSteps(deal.shares).length > 1 ? "split" : "percentage"
    const howMany = deal ? `${movedSum(deal.shares)} % of them` : "many"
    const message = isOther
      ? `now uses a different attribute: users are re-bucketed, and ${howMany} get a different value. Keep the attribute, or start a new flag.`
      : `now uses a different seed: users are re-bucketed, and ${howMany} get a different value. Keep the seed, or check that this is intended.`
    places.set(location.span.start, {
      code: "bucketing-changed",
      words: [`this ${what} ${message}`],
      ...location,
    })
  }
  for (const finding of places.values()) warn(finding)
  return rebucketed
}

/**
 * Pairs of rules that give the same value, of which the second may replace the first; without those that only follow
 * another flag, which has its own warning.
 */
function rulesThatBecame({ pairs, removed, added }: RuleMatch): readonly (readonly [Rule, Rule])[] {
  const followsFlag = ({ references }: RulePair) => references?.every(({ kind }) => kind === "flag") === true
  return [
    ...pairs.filter((pair) => !followsFlag(pair)).map(({ before, after }) => [before, after] as const),
    ...removed.flatMap(({ before }) => added.map(({ after }) => [before, after] as const)),
  ].filter(([before, after]) => sameValue(before.returnValue, after.returnValue))
}

function certain({ effects }: TransitionWithEffects): readonly Group[] {
  return effects.flatMap(({ group }) => (group === undefined || group.doubt !== undefined ? [] : [group]))
}
