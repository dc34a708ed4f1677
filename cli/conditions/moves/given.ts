import { type Condition, isAlways } from "../../language/condition.ts"
import { conditionName, type Term } from "../clause.ts"
import type { ContextSet } from "../context-set.ts"
import { type Range, seedName, sharesIn } from "../share-range.ts"
import type { Solver } from "../solver.ts"
import type { Outcome } from "./outcome.ts"

/** A range of each seed; `undefined`: users outside all of them, who lack an attribute. */
export type Ranges = readonly Range[] | undefined

/** Whether a condition is met within ranges of the shares; `undefined` if that is not known. */
type IsMet = (ranges: Ranges) => boolean | undefined

/** What a range of users gets, and whether a share gives it. */
export interface Given {
  readonly value: string
  readonly condition: Condition
  readonly isShare: boolean
}

/** Decides conditions for the users of a term, by the ranges of the seeds that they are in. */
export interface Deciding {
  /** Whether users in certain regions meet a condition. */
  readonly isMet: (condition: Condition, regions: readonly ContextSet[]) => IsMet
  /** Whether a condition has a share of one of the seeds. */
  readonly dependsOnShares: (condition: Condition) => boolean
}

/** Decides shares by the ranges, and all else by the clauses of the term, or by a search. `names`: of the seeds. */
export function createDeciding(names: readonly string[], rest: Term, { isEmpty, setOf }: Solver): Deciding {
  const facts = new Map(rest.map(({ condition, holds }) => [conditionName(condition), holds]))
  const dependsOnShares = (condition: Condition) =>
    sharesIn(condition).some((share) => names.includes(seedName(share)))
  const search = (condition: Condition, regions: readonly ContextSet[]): boolean | undefined => {
    if (isAlways(condition)) return true
    if (isEmpty(...regions, setOf({ condition, holds: true }))) return false
    return isEmpty(...regions, setOf({ condition, holds: false })) ? true : undefined
  }
  const isMet: Deciding["isMet"] = (condition, regions) => {
    if (!dependsOnShares(condition)) {
      const isKnown = facts.get(conditionName(condition)) ?? search(condition, regions)
      return () => isKnown
    }
    if (condition.kind === "share") {
      const at = names.indexOf(seedName(condition))
      return (ranges) => {
        const { from, to } = ranges?.[at] ?? { from: -1, to: 0 }
        return condition.from <= from && to <= condition.to
      }
    }
    if ("means" in condition) return condition.means ? isMet(condition.means, regions) : () => false
    const parts = "parts" in condition ? condition.parts.map((part) => isMet(part, regions)) : []
    const [isAll, isAny] = [condition.kind === "all", condition.kind === "any"]
    return (ranges) => {
      const met = parts.map((part) => part(ranges))
      if (met.includes(!isAll)) return isAny
      return met.includes(undefined) ? undefined : !isAny
    }
  }
  return { isMet, dependsOnShares }
}

/** Returns what users get by their ranges; `undefined` if that is not one value, or not known. */
export function givenBy(
  outcomes: readonly Outcome[],
  regions: readonly ContextSet[],
  { isMet, dependsOnShares }: Deciding,
): (ranges: Ranges) => Given | undefined {
  const rules = outcomes.map(({ condition, value }) => ({
    value,
    condition,
    isMet: isMet(condition, regions),
    isShare: dependsOnShares(condition),
  }))
  return (ranges) => {
    const end = rules.findIndex((rule) => rule.isMet(ranges) === true)
    const may = rules.slice(0, end + 1).filter((rule) => rule.isMet(ranges) !== false)
    return may.every(({ value }) => value === may[0]?.value) ? may.at(-1) : undefined
  }
}
