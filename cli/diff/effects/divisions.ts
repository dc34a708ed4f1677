import { clauseName, type Term } from "../../conditions/clause.ts"
import {
  type AttributeShare,
  attributeShare,
  type ShareSeed,
  seedName,
  sharesIn,
} from "../../conditions/share-range.ts"
import { createIsEmpty, type Simplifying } from "../../conditions/simplify-term.ts"
import { namesTexts, presenceAsked } from "../../language/comparisons.ts"
import type { Outcome } from "../transitions/outcomes.ts"
import type { Transition } from "../transitions/transition.ts"
import { endsBySeed, seedOf } from "./share-ends.ts"

/** How a term divides users into shares. */
export interface Division {
  /** Equal for terms that divide the same users by the same seeds. */
  readonly name: string
  /** The seeds of other rules' shares, and then those whose shares change or, if none do, the last one. */
  readonly by: readonly ShareSeed[]
  /** The seed that the last one took the place of. */
  readonly instead: ShareSeed | undefined
  readonly rest: Term
  /** Whether it is only for users who have the attribute. */
  readonly isOfShares: boolean
}

/** What a question to the solver needs. */
export type Solving = Pick<Simplifying, "setOf" | "work">

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

/** Whether shares of these seeds give several values. */
export function areArms(outcomes: readonly Outcome[], seeds: readonly ShareSeed[], key: string): boolean {
  const names = seeds.map(seedName)
  const isArm = ({ rule }: Outcome) =>
    rule !== undefined && sharesIn(rule, key).some((share) => names.includes(seedName(share)))
  return new Set(outcomes.filter(isArm).map(({ value }) => value)).size > 1
}

/** Whether a clause lists its users: each is in a share or not, so there is no percentage of them. */
function namesUsers({ condition, holds }: Term[number], attribute: string): boolean {
  return holds && condition.attribute === attribute && namesTexts(condition)
}
