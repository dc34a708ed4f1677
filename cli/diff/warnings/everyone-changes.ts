import { isGroup, type ParsedCondition, parseCondition } from "../../../sdk/evaluation/condition.ts"
import { partsOf, type Term } from "../../conditions/clause.ts"
import { attributeShare, sharesIn } from "../../conditions/share-range.ts"
import { operatorOf } from "../../language/operators.ts"
import type { TransitionWithEffects } from "../effects/compared-flag.ts"
import type { Group } from "../effects/effect.ts"
import type { FlagOnBothSides } from "../sides/pair-flags.ts"
import { decidedBy, type Outcome } from "../transitions/outcomes.ts"
import { locationOfChange, type Warn } from "./places.ts"

/**
 * Warns if everyone in a protected environment gets a different value, or everyone not excluded by conditions does, or
 * everyone may. A new type has its own warning. Returns whether everyone certainly does.
 */
export function everyoneChanges(
  pair: FlagOnBothSides,
  transition: TransitionWithEffects,
  manyChange: number,
  warn: Warn,
): boolean {
  if (pair.before.flag.type !== pair.after.flag.type || transition.effects.length === 0) return false
  const groups = transition.effects.flatMap(({ group }) => group ?? [])
  const warnThat = (whom: string, own: readonly Group[]) => {
    const moves = own.flatMap((group) => group.moves)
    const words = [`${whom} a different value at once. Is that what you want?`]
    warn({ code: "everyone-changes", words, ...locationOfChange(pair, transition, moves) })
  }
  const all = groups.filter(
    ({ doubt, deal, terms }) =>
      doubt === undefined && deal === undefined && terms.some((term) => percentOf(term) === 100),
  )
  const isEveryone = !someKeep(transition)
  if (isEveryone) warnThat("everyone gets", groups)
  else if (all.length > 0) warnThat("everyone not excluded by a condition gets", all.slice(0, 1))
  if (isEveryone || all.length > 0) return true
  const doubtful = groups.filter(
    ({ doubt, terms }) => doubt !== undefined && terms.some((term) => percentOf(term) > manyChange),
  )
  if (doubtful.length > 0 || mayBeEveryone(transition, manyChange)) warnThat("everyone may get", doubtful)
  return false
}

/** Whether some context keeps, or may keep, its value. */
function someKeep({ before, after, mayMeet }: TransitionWithEffects): boolean {
  return before.some((one) =>
    after.some(
      (other) => other.value === one.value && mayMeet("any", decidedBy(one, before), decidedBy(other, after)),
    ),
  )
}

/** The percentage of users that a term is about, not counting those whom conditions exclude; 0 if a condition names some users. */
export function percentOf(term: Term): number {
  const shares = term.flatMap(({ condition, holds }) => {
    const share = attributeShare(condition)
    return share === undefined ? [] : [{ ...share, holds }]
  })
  const parts = term.map(({ condition, holds }) => {
    if (attributeShare(condition) !== undefined) return 100
    if (!holds) return asksForSome(parseCondition(condition)) ? 100 : 0
    const parts = partsOf(condition) ?? []
    if (isGroup(condition, "none")) return percentOf(parts.map((part) => ({ condition: part, holds: false })))
    return isGroup(condition, "any")
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

/** Whether a condition names some users, instead of leaving some out or none. */
function asksForSome(parsed: ParsedCondition): boolean {
  const { kind, condition } = parsed
  if (kind === "none") return false
  if (kind === "all") return parsed.parts.some(asksForSome)
  if (kind === "any") return parsed.parts.every(asksForSome)
  return !leavesSomeOut(condition.operator) && attributeShare(condition)?.to !== 100
}

/** Whether an operator matches everyone, or everyone whose attribute is not some value. */
function leavesSomeOut(name: string): boolean {
  const { question, negates } = operatorOf(name) ?? {}
  if (question?.kind === "presence") return question.isPresent
  return (
    negates !== undefined || question?.kind === "always" || (question?.kind === "version" && question.isOther)
  )
}

/**
 * Whether the search was given up, and not only some users may be affected: a different value then comes from an outcome
 * that is new, gone or in a different order.
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
