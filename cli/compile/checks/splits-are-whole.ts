import { type Condition, parseCondition } from "../../../sdk/evaluation/condition.ts"
import type { Span } from "../../diagnostics/diagnostic.ts"
import { quoted } from "../../diagnostics/suggest.ts"
import { spanOfCondition } from "../definition/condition.ts"
import type { DefinedCondition, DefinedSplit } from "../definition/definition.ts"
import { writtenText } from "../definition/definition.ts"
import type { Segments } from "../definition/segments.ts"
import { openCondition } from "../meaning/open-condition.ts"
import type { Check } from "./check.ts"

/**
 * The condition beside a split does not ask for a `percentage` of the attribute that people are split by: it is the same
 * number, so a tenth of the people would all get the first share.
 */
export const splitsAreWhole: Check = ({ source, segments, configurations }, _project, report) => {
  for (const { splits } of configurations)
    for (const split of splits) {
      const [cut] = cutsOf(split, segments)
      if (cut === undefined) continue
      report.add({
        code: "bad-split",
        message: `${cut.what} and the split look at the same number of ${quoted(cut.by)}, so these ${cut.percent} % all fall into the first shares. Remove this condition, and write shares that add up to ${cut.percent}.`,
        source,
        span: cut.span,
        related: [{ message: "`split` is here.", location: { source, span: split.nameSpan } }],
      })
    }
}

/** Whether the condition beside a split takes people of some of its shares away. */
export function isCut(split: DefinedSplit, segments: Segments): boolean {
  return cutsOf(split, segments).length > 0
}

/** A percentage in the condition beside a split. */
interface InnerShare {
  /** What has it, as the beginning of a sentence. */
  readonly what: string
  readonly by: string
  readonly percent: number
  readonly span: Span
}

function cutsOf({ whom, by, shares }: DefinedSplit, segments: Segments): readonly InnerShare[] {
  const attribute = writtenText(by?.value)?.text
  if (whom === undefined || attribute === undefined) return []
  const sum = shares.reduce((all, { thousandths = 0 }) => all + thousandths, 0) / 1_000
  const percentages = (condition: DefinedCondition): readonly Omit<InnerShare, "by">[] => {
    if (condition.kind === "all") return condition.conditions.flatMap(percentages)
    if (condition.kind === "any" || condition.kind === "none") return []
    const open = openCondition(condition)
    const whole = "segment" in open ? segments.get(open.segment)?.condition : open
    if (whole === undefined || !("operator" in whole)) return []
    const what = condition.kind === "segment" ? "The percentage in this segment" : "This percentage"
    const span = spanOfCondition(condition)
    return percentagesOf(whole, attribute).map((percent) => ({ what, percent, span }))
  }
  // One of 0 is a rollout that has not begun.
  return percentages(whom)
    .filter(({ percent }) => percent > 0 && percent < sum)
    .map((cut) => ({ by: attribute, ...cut }))
}

/** The percentages of an attribute that a condition asks for wherever it holds. */
function percentagesOf(condition: Condition, attribute: string): readonly number[] {
  const parsed = parseCondition(condition)
  if (parsed.kind === "all")
    return parsed.parts.flatMap(({ condition }) => percentagesOf(condition, attribute))
  const isOne = condition.operator === "percentage" && condition.attribute === attribute
  return isOne ? [Number(condition.value)] : []
}
