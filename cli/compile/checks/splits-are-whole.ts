import { type Condition, parseCondition } from "../../../sdk/evaluation/condition.ts"
import { shareIn } from "../../../sdk/evaluation/operators.ts"
import type { ShareRange } from "../../../sdk/evaluation/share-range.ts"
import type { Span } from "../../diagnostics/diagnostic.ts"
import { quoted } from "../../diagnostics/suggest.ts"
import { spanOfCondition } from "../definition/condition.ts"
import type { DefinedCondition, DefinedSplit } from "../definition/definition.ts"
import { writtenText } from "../definition/definition.ts"
import type { Segments } from "../definition/segments.ts"
import { openCondition } from "../meaning/open-condition.ts"
import type { Check } from "./check.ts"

/**
 * The condition next to a split does not take a share by the same attribute and seed: both use the same hash, so a
 * condition for the first tenth of users would give them all the first share.
 */
export const splitsAreWhole: Check = ({ source, key, segments, configurations }, _project, report) => {
  for (const { splits } of configurations)
    for (const split of splits) {
      const [cut] = cutsOf(split, key, segments)
      if (cut === undefined) continue
      const sameNumber = `${cut.what} and the split use the same hash of ${quoted(cut.by)}, so these ${cut.percent} % all fall into the ${cut.isFirst ? "first" : "same"} shares.`
      const advice = cut.isFirst
        ? `Remove this condition, and write shares that add up to ${cut.percent}.`
        : "Give the split its own `seed`."
      report.add({
        code: "bad-split",
        message: `${sameNumber} ${advice}`,
        source,
        span: cut.span,
        related: [{ message: "`split` is here.", location: { source, span: split.nameSpan } }],
      })
    }
}

/** Whether the condition next to a split excludes users from some of its shares. */
export function isCut(split: DefinedSplit, key: string, segments: Segments): boolean {
  return cutsOf(split, key, segments).length > 0
}

/** A share in the condition next to a split. */
interface InnerShare {
  /** What contains it, as the start of a sentence. */
  readonly what: string
  readonly by: string
  readonly percent: number
  /** Whether it begins at 0. */
  readonly isFirst: boolean
  readonly span: Span
}

function cutsOf(
  { whom, by, seed, shares }: DefinedSplit,
  key: string,
  segments: Segments,
): readonly InnerShare[] {
  const attribute = writtenText(by?.value)?.text
  if (whom === undefined || attribute === undefined) return []
  const sum = shares.reduce((all, { thousandths = 0 }) => all + thousandths, 0) / 1_000
  const cuts = (condition: DefinedCondition): readonly InnerShare[] => {
    if (condition.kind === "all") return condition.conditions.flatMap(cuts)
    if (condition.kind === "any" || condition.kind === "none") return []
    const open = openCondition(condition)
    const whole = "segment" in open ? segments.get(open.segment)?.condition : open
    if (whole === undefined || !("operator" in whole)) return []
    const what = condition.kind === "segment" ? "The share in this segment" : "This share"
    const span = spanOfCondition(condition)
    return rangesOf(whole, attribute, key).flatMap((range) => {
      const [from, to] = [percentOf(range.from), percentOf(range.to)]
      // A share of 0 is a rollout that has not begun.
      const isPart = range.seed === (seed ?? key) && to > from && (from > 0 || to < sum)
      return isPart ? [{ what, by: attribute, percent: exactly(to - from), isFirst: from === 0, span }] : []
    })
  }
  return cuts(whom)
}

/** The shares by an attribute that a condition always requires. */
function rangesOf(condition: Condition, attribute: string, key: string): readonly ShareRange[] {
  const parsed = parseCondition(condition)
  if (parsed.kind === "all")
    return parsed.parts.flatMap(({ condition }) => rangesOf(condition, attribute, key))
  if (condition.attribute !== attribute) return []
  const range = shareIn(condition.operator, condition.value, key)
  return range === undefined ? [] : [range]
}

function percentOf(scaled: number): number {
  return scaled / 2 ** 32
}

/** Without the digits that subtracting doubles adds. */
function exactly(percent: number): number {
  return Math.round(percent * 1_000) / 1_000
}
