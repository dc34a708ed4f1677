import type { Rule } from "../../../proxy/contract/snapshot.ts"
import { parseCondition } from "../../../sdk/evaluation/condition.ts"
import type { Report } from "../../diagnostics/diagnostic.ts"
import type { FlagOnBothSides } from "../sides/pair-flags.ts"
import type { Move } from "../transitions/moves.ts"
import type { Outcome } from "../transitions/outcomes.ts"
import type { Transition } from "../transitions/transition.ts"
import { locationOfRule } from "./places.ts"

/** People of one share of a split who are now in another one. Each split is named once. */
export function sharesRedealt(
  pair: FlagOnBothSides,
  { environment, before, after, moves }: Transition,
  report: Report,
): void {
  const reported = new Set<string>()
  for (const move of moves.filter((move) => isRedealt(move, before))) {
    const { rule } = move.after
    const split = shareOf(rule)?.split
    if (rule === undefined || split === undefined || reported.has(split)) continue
    reported.add(split)
    const location = locationOfRule(pair.after, environment, rule)
    if (location === undefined) continue
    report.add({
      code: "shares-redealt",
      message: `In \`${environment}\` this split deals ${redealtPercentage(split, before, after)} % of its people again: they go from one of its values to another. Let only the last share grow, or check that this is intended.`,
      ...location,
    })
  }
}

/** Whether people go from one share of a split to another, with a value that the split gave before, too. */
export function isRedealt({ before: from, after: to }: Move, before: readonly Outcome[]): boolean {
  const split = shareOf(from?.rule)?.split
  if (split === undefined || split !== shareOf(to.rule)?.split) return false
  return before.some(({ rule, value }) => value === to.value && shareOf(rule)?.split === split)
}

/** How many percent come from one value that the split gave before to another one, to three decimals. */
function redealtPercentage(split: string, before: readonly Outcome[], after: readonly Outcome[]): number {
  const [sharesBefore, sharesAfter] = [before, after].map((outcomes) =>
    outcomes.flatMap(({ rule, value }) => {
      const share = shareOf(rule)
      return share?.split === split ? [{ end: share.end, value }] : []
    }),
  )
  const ends = [...(sharesBefore ?? []), ...(sharesAfter ?? [])].map(({ end }) => end).sort((a, b) => a - b)
  let [redealt, start] = [0, 0]
  for (const end of ends) {
    const [from, to] = [sharesBefore, sharesAfter].map(
      (shares) => shares?.find((share) => share.end >= end)?.value,
    )
    const isKnown = sharesBefore?.some(({ value }) => value === to)
    if (from !== undefined && from !== to && isKnown) redealt += end - start
    start = end
  }
  return Math.round(redealt * 1_000) / 1_000
}

/**
 * Where a rule's share ends, in percent: it is for the people below it whom no earlier share of the split has. `split` is
 * equal for the shares of one split: it says by what they deal, and whom. `undefined` for a rule that is no share.
 */
function shareOf(rule: Rule | undefined): { readonly split: string; readonly end: number } | undefined {
  if (rule === undefined) return undefined
  const parsed = parseCondition(rule)
  const [share, ...others] = parsed.kind === "all" ? parsed.parts.toReversed() : [parsed]
  if (share?.kind !== "comparison" || share.condition.operator !== "percentage") return undefined
  const { attribute, value } = share.condition
  return {
    split: JSON.stringify([attribute, others.map(({ condition }) => condition)]),
    end: Number(value),
  }
}
