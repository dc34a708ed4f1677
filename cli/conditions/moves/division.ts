import { compareText } from "../../diagnostics/diagnostic.ts"
import { type Condition, presenceIn, type Share } from "../../language/condition.ts"
import { namesTexts } from "../../language/texts.ts"
import { type Clause, clauseName, type Term } from "../clause.ts"
import { type ShareSeed, seedName, shareClausesIn, shareOf, sharesIn } from "../share-range.ts"
import type { Solver } from "../solver.ts"
import type { Outcome, Sides } from "./outcome.ts"
import { areArms, areArmsOfSplit, areFew, endsBySeed } from "./share-ends.ts"

/** How a term divides users into shares. */
export interface Division {
  /** Equal for terms that divide the same users by the same seeds. */
  readonly name: string
  /** The seeds of other rules' shares, and then those whose shares change or, if none do, the last one. */
  readonly by: readonly ShareSeed[]
  /** The seed that the last one took the place of. */
  readonly instead: ShareSeed | undefined
  /** The term without the shares. */
  readonly rest: Term
  /** Whether it is only for users who have the attribute. */
  readonly isOfShares: boolean
}

/** How a term divides users by one seed, or by the two of which one took the place of the other. */
interface NarrowDivision extends Division {
  /** Equal for terms that differ only in shares. */
  readonly core: string
  /** How many of its seeds have different shares after the change. */
  readonly changed: number
  /** The seeds of other shares that the term asks for. */
  readonly outer: readonly ShareSeed[]
}

/** Returns how a term divides users; `undefined` if it has no share. */
export type Divide = (term: Term) => Division | undefined

/**
 * How terms divide users. Where the same edit, such as a holdout, divides the shares of another rule, the shares of both are
 * combined. `terms`: those that are described together.
 */
export function createDivide(terms: readonly Term[], sides: Sides, plain: Solver): Divide {
  const divide = createNarrowDivide(sides, plain)
  const divisions = terms.flatMap((term) => divide(term) ?? []).filter(({ isOfShares }) => isOfShares)
  const seedsOfCores = seedsByCore(divisions, sides)
  return (term) => {
    const division = divide(term)
    if (division === undefined) return undefined
    const all = seedsOfCores.get(division.core)
    if (all === undefined) return division
    const rest = division.rest.filter(({ condition }) => shareOf(condition) === undefined)
    return { ...division, name: division.core, by: all, rest }
  }
}

/**
 * All seeds of terms that differ only in shares, where the shares of several are one edit: a holdout that is added or grows in
 * front of a split, or while the split goes or gets another seed.
 */
function seedsByCore(
  divisions: readonly NarrowDivision[],
  { before, after }: Sides,
): ReadonlyMap<string, readonly ShareSeed[]> {
  const rankOf = createRank({ before, after })
  const seedsOfRules = [...before, ...after].map(
    ({ condition }) => new Set(sharesIn(condition).map(seedName)),
  )
  const isOneRule = ({ by, outer }: NarrowDivision) =>
    seedsOfRules.some((seeds) => [by.at(-1), outer[0]].every((seed) => seed && seeds.has(seedName(seed))))
  const isOfExperiment = (division: NarrowDivision) =>
    areArmsOfSplit(before, division.outer) || (!isOneRule(division) && areArms(before, division.outer))
  const cores = Map.groupBy(divisions, ({ core }) => core)
  return new Map(
    [...cores].flatMap(([core, alike]) => {
      const seeds = alike.flatMap(({ outer, by }) => [...outer, ...by])
      const byName = new Map(seeds.map((seed) => [seedName(seed), seed]))
      const inOrder = [...byName].toSorted(([a], [b]) => rankOf(a) - rankOf(b) || compareText(a, b))
      const all = inOrder.map(([, seed]) => seed)
      const areSeveral = new Set(alike.map(({ name }) => name)).size > 1
      const isEdit = areSeveral || alike.some((division) => division.changed > 1 || isOfExperiment(division))
      return isEdit && areFew(all, [...before, ...after]) ? [[core, all]] : []
    }),
  )
}

function createNarrowDivide(
  { before, after }: Sides,
  plain: Solver,
): (term: Term) => NarrowDivision | undefined {
  const [ends, newEnds] = [endsBySeed(before), endsBySeed(after)]
  const rankOf = createRank({ before, after })
  const isChanged = (name: string) => rankOf(name) !== unchanged
  return (term) => {
    const shares = shareClausesIn(term).map(({ clause: { holds }, share }) => {
      const name = seedName(share)
      return { share, name, rank: (isChanged(name) ? 2 : 0) + (holds ? 1 : 0), holds }
    })
    const isSame = (name: string, newName: string) =>
      givenBySeed(before, name) === givenBySeed(after, newName)
    const gone = shares.find(({ name }) => !newEnds.has(name))
    // A holdout that is added takes no seed's place: the seeds' shares give different values.
    const added = gone && shares.find(({ name }) => !ends.has(name) && isSame(gone.name, name))
    const last = shares.toSorted((a, b) => a.rank - b.rank).at(-1)
    if (last === undefined) return undefined
    const dividing = gone && added ? [gone, added] : [last]
    const attributes = dividing.map(({ share }) => share.by)
    if (term.some((clause) => listsUsers(clause, attributes))) return undefined
    const names = dividing.map(({ name }) => name)
    const rest = restOf(term, { names, attributes }, plain)
    const core = rest.filter(({ condition }) => shareOf(condition) === undefined)
    return {
      name: JSON.stringify([names, rest.map(clauseName).sort()]),
      core: JSON.stringify(core.map(clauseName).sort()),
      changed: new Set(shares.flatMap(({ name }) => (isChanged(name) ? [name] : []))).size,
      by: dividing.map(({ share }) => seedOf(share)),
      outer: shareClausesIn(rest).map(({ share }) => seedOf(share)),
      instead: gone && added && seedOf(gone.share),
      rest,
      isOfShares:
        term.some((clause) => isPresence(clause, attributes)) ||
        shares.some(({ name, holds }) => holds && names.includes(name)),
    }
  }
}

/** The rank of a seed whose shares do not change. */
const unchanged = 0

/** Returns the rank of a seed in sentences: those whose shares do not change, those whose shares do, and then new ones. */
function createRank({ before, after }: Pick<Sides, "before" | "after">): (name: string) => number {
  const [ends, newEnds] = [endsBySeed(before), endsBySeed(after)]
  return (name) => {
    if (String(ends.get(name)) === String(newEnds.get(name))) return unchanged
    return ends.has(name) ? 1 : 2
  }
}

/** The values that the shares of a seed give, as one text to compare. */
function givenBySeed(outcomes: readonly Outcome[], name: string): string {
  const given = outcomes.filter(({ condition }) =>
    sharesIn(condition).some((share) => seedName(share) === name),
  )
  return [...new Set(given.map(({ value }) => value))].sort().join()
}

function seedOf({ by, seed }: Share): ShareSeed {
  return { by, seed }
}

/** A term without the shares by which it divides users, and without what they imply. */
function restOf(
  term: Term,
  { names, attributes }: { readonly names: readonly string[]; readonly attributes: readonly string[] },
  { isEmpty, setOf }: Solver,
): Term {
  const divides = (condition: Condition) =>
    sharesIn(condition).some((share) => names.includes(seedName(share)))
  const others = term.filter(
    (clause) => !isPresence(clause, attributes) && !(shareOf(clause.condition) && divides(clause.condition)),
  )
  // An excluded group with a share has no effect if the other clauses leave no one in the group.
  const isIdle = (clause: Clause) =>
    isEmpty(...others.map((other) => setOf(other === clause ? { ...other, holds: !other.holds } : other)))
  return others.filter((clause) => !divides(clause.condition) || !isIdle(clause))
}

/** Whether a clause asks for one of the attributes, which shares do, too. */
function isPresence({ condition, holds }: Clause, attributes: readonly string[]): boolean {
  return holds && presenceIn(condition) === true && asksOne(condition, attributes)
}

/** Whether a clause lists users by one of the attributes: each is in a share or not, so there is no percentage of them. */
function listsUsers({ condition, holds }: Clause, attributes: readonly string[]): boolean {
  return holds && namesTexts(condition) && asksOne(condition, attributes)
}

function asksOne(condition: Condition, attributes: readonly string[]): boolean {
  return condition.kind === "comparison" && attributes.includes(condition.attribute)
}
