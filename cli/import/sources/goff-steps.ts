import { parseMoment } from "../../../sdk/evaluation/moment.ts"
import { at, items, members, type Node, numberOf, textOf } from "../form/tree.ts"

/** Percentages by variation. */
export type Shares = readonly (readonly [string, number])[]

/** The percentages of a rule from a moment on. */
export interface GoffStage {
  /** In RFC 3339. */
  readonly at: string
  readonly shares: Shares
}

/** The scheduled steps in the order of their moments; `undefined` if one has no moment or changes more than percentages. */
export function stepsOf(flag: Node, ruleNames: readonly (string | undefined)[]): readonly Node[] | undefined {
  const steps = items(at(flag, "scheduledRollout")).filter((step) => at(step, "date") !== undefined) // else it never begins
  const isRule = (rule: Node) => ruleNames.filter((name) => name === nameOf(rule)).length === 1
  const areShares = steps.every((step) => {
    const named = items(at(step, "targeting"))
    const changed = [...named, at(step, "defaultRule") ?? []].flat()
    return (
      !Number.isNaN(momentOf(step)) &&
      hasOnly(step, ["date", "defaultRule", "targeting", "version", "trackEvents"]) &&
      changed.every((rule) => hasOnly(rule, ["name", "percentage"])) &&
      named.every((rule) => nameOf(rule) !== undefined && isRule(rule))
    )
  })
  return areShares ? steps.toSorted((a, b) => momentOf(a) - momentOf(b)) : undefined
}

/** What steps make of percentages, which they change one by one. A negative one is removed. Of steps at one moment, the last counts. */
export function stagesOf(
  shares: Shares,
  steps: readonly Node[],
  changeIn: (step: Node) => Node | undefined,
): readonly GoffStage[] {
  const percentages = new Map(shares)
  const stages = steps.flatMap((step): readonly GoffStage[] => {
    const change = changeIn(step)
    if (change === undefined) return []
    for (const [name, share] of sharesIn(change))
      if (share < 0) percentages.delete(name)
      else percentages.set(name, share)
    return [{ at: textOf(at(step, "date")) ?? "", shares: [...percentages] }]
  })
  return stages.filter((one, index) => parseMoment(one.at) !== parseMoment(stages[index + 1]?.at ?? ""))
}

/** The percentages of a rule. */
export function sharesIn(rule: Node): Shares {
  return members(at(rule, "percentage")).map(([name, one]) => [name, numberOf(one) ?? 0])
}

/** The name of a rule, by which steps change it. */
export function nameOf(rule: Node): string | undefined {
  return textOf(at(rule, "name"))
}

function hasOnly(node: Node, names: readonly string[]): boolean {
  return members(node).every(([name]) => names.includes(name))
}

/** In milliseconds; `NaN` without a date, a time and a zone. */
function momentOf(step: Node): number {
  const date = textOf(at(step, "date")) ?? ""
  return (/T.*(?:Z|[+-]\d\d:\d\d)$/.test(date) ? parseMoment(date) : undefined) ?? Number.NaN
}
