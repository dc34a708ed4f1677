import { type ParsedCondition, parseCondition } from "../../../sdk/evaluation/condition.ts"
import { partsOf, type Term } from "../../conditions/clause.ts"
import { negations } from "../../conditions/negations.ts"
import { attributeShare, rangeLeft, sharesIn } from "../../conditions/share-range.ts"
import type { Report } from "../../diagnostics/diagnostic.ts"
import { list } from "../../diagnostics/suggest.ts"
import type { TransitionWithEffects } from "../effects/compared-flag.ts"
import type { Group } from "../effects/effect.ts"
import type { FlagOnBothSides } from "../sides/pair-flags.ts"
import type { Outcome } from "../transitions/outcomes.ts"
import { locationOfChange } from "./places.ts"

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

/** Whether a term only excludes users, or asks for a share of more than `most` percent. */
export function isOfEveryone(term: Term, most = 100): boolean {
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
