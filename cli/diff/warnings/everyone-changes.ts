import { type ParsedCondition, parseCondition } from "../../../sdk/evaluation/condition.ts"
import { partsOf, type Term } from "../../conditions/clause.ts"
import { negations } from "../../conditions/negations.ts"
import { attributeShare, sharesIn } from "../../conditions/share-range.ts"
import type { Report } from "../../diagnostics/diagnostic.ts"
import { list } from "../../diagnostics/suggest.ts"
import type { TransitionWithEffects } from "../effects/compared-flag.ts"
import type { Group } from "../effects/effect.ts"
import type { FlagOnBothSides } from "../sides/pair-flags.ts"
import type { Outcome } from "../transitions/outcomes.ts"
import { locationOfChange } from "./places.ts"

/**
 * Everyone in a protected environment gets another value, or everyone not excluded by conditions, or everyone may, as far as is
 * known. A new type has its own warning. Returns the environments in which they do.
 */
export function everyoneChanges(
  pair: FlagOnBothSides,
  guarded: readonly TransitionWithEffects[],
  manyChange: number,
  report: Report,
): ReadonlySet<string> {
  if (pair.before.flag.type !== pair.after.flag.type) return new Set()
  const places = guarded.flatMap((transition) => {
    const { environment, before, after, effects } = transition
    const groups = effects.flatMap(({ group }) => group ?? [])
    const placeOf = (whom: string, own: readonly Group[], isSure = true) => {
      const moves = own.flatMap((group) => group.moves)
      return [{ environment, whom, isSure, location: locationOfChange(pair, transition, moves) }]
    }
    const isOther =
      effects.length > 0 && before.every((one) => after.every(({ value }) => value !== one.value))
    if (isOther) return placeOf("everyone gets", groups)
    const all = groups.find(
      ({ doubt, deal, terms }) =>
        doubt === undefined && deal === undefined && terms.some((term) => percentOf(term) === 100),
    )
    if (all !== undefined) {
      const isAll = all.terms.some((term) => term.length === 0)
      return placeOf(isAll ? "everyone gets" : "everyone not excluded by a condition gets", [all])
    }
    const doubtful = groups.filter(
      ({ doubt, terms }) => doubt !== undefined && terms.some((term) => percentOf(term) > manyChange),
    )
    return doubtful.length > 0 || mayBeEveryone(transition, manyChange)
      ? placeOf("everyone may get", doubtful, false)
      : []
  })
  const byPlace = Map.groupBy(places, ({ location: { source, span }, whom }) =>
    JSON.stringify([source.path, span.start, whom]),
  )
  for (const own of byPlace.values()) {
    const [first] = own
    if (first === undefined) continue
    const names = list(own.map(({ environment }) => environment))
    const message = `In ${names} ${first.whom} another value at once. Is that what you want?`
    report.add({ code: "everyone-changes", message, ...first.location })
  }
  return new Set(places.flatMap(({ environment, isSure }) => (isSure ? environment : [])))
}

/** The percentage of users that a term is about, not counting those whom conditions exclude; 0 if a condition asks for some users. */
export function percentOf(term: Term): number {
  const shares = term.flatMap(({ condition, holds }) => {
    const share = attributeShare(condition)
    return share === undefined ? [] : [{ ...share, holds }]
  })
  const parts = term.map(({ condition, holds }) => {
    if (attributeShare(condition) !== undefined) return 100
    if (!holds) return asksForSome(parseCondition(condition)) ? 100 : 0
    const parts = partsOf(condition) ?? []
    if (condition.operator === "none")
      return parts.every((part) => asksForSome(parseCondition(part))) ? 100 : 0
    return condition.operator === "any"
      ? Math.max(...parts.map((part) => percentOf([{ condition: part, holds }])))
      : 0
  })
  const bySeed = Map.groupBy(shares, ({ attribute, seed }) => JSON.stringify([attribute, seed]))
  const ranges = [...bySeed.values()].map((own) => {
    const asked = own.filter(({ holds }) => holds)
    const from = Math.max(0, ...asked.map((share) => share.from))
    const to = Math.min(100, ...asked.map((share) => share.to))
    const outside = own
      .filter(({ holds }) => !holds)
      .map((share) => Math.max(0, Math.min(to, share.to) - Math.max(from, share.from)))
    return Math.max(
      0,
      outside.reduce((left, size) => left - size, to - from),
    )
  })
  return [...parts, ...ranges].reduce((percent, part) => (percent * part) / 100, 100)
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
