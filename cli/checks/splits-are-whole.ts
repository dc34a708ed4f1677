import type { Span } from "../diagnostics/diagnostic.ts"
import { quoted } from "../diagnostics/suggest.ts"
import { type Condition, fold, isRamp, type Reach } from "../language/condition.ts"
import type { RuleItem } from "../language/flag.ts"
import { writtenText } from "../language/tree.ts"
import { spanOfCondition } from "../reading/condition.ts"
import { lacksSeed } from "../reading/share.ts"
import type { Check } from "./check.ts"

/**
 * The condition next to a split does not take a share, or a ramp, by the same attribute and seed: both use the same hash, so a
 * condition for the first tenth of users would give them all the first share.
 */
export const splitsAreWhole: Check = ({ source, key, configurations }, _project, report) => {
  for (const { items } of configurations.values())
    for (const item of items) {
      const { split } = item
      const cut = cutsOf(item, key).find(({ needsSeed }) => !needsSeed)
      if (split === undefined || cut === undefined) continue
      const users = `${cut.isGrowing ? "the ramp's first" : "these"} ${cut.percent} %`
      const sameNumber = `${cut.what} and the split use the same hash of ${quoted(cut.by)}, so ${users} all fall into the ${cut.isFirst ? "first" : "same"} shares.`
      const advice =
        cut.isFirst && !cut.isGrowing
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
export function isCut(item: RuleItem, key: string): boolean {
  return cutsOf(item, key).length > 0
}

/** A share in the condition next to a split. */
interface InnerShare {
  /** What contains it, as the start of a sentence. */
  readonly what: string
  readonly by: string
  readonly percent: number
  /** Whether it begins at 0. */
  readonly isFirst: boolean
  /** Whether it is the first stage of a ramp. */
  readonly isGrowing: boolean
  /** Whether it is in a segment, where it must have a seed of its own and so picks users by a different hash. */
  readonly needsSeed: boolean
  readonly span: Span
}

function cutsOf({ condition, split }: RuleItem, key: string): readonly InnerShare[] {
  const by = writtenText(split?.by?.value)?.text
  if (condition === undefined || split === undefined || by === undefined) return []
  const sum = split.arms.reduce((all, { thousandths = 0 }) => all + thousandths, 0) / 1_000
  const seed = split.seed ?? key
  return requiredParts(condition, "groups").flatMap(({ part }) => {
    const isSegment = part.kind === "segment"
    return requiredParts(part, "meanings").flatMap(({ part: share, isGrowing }) => {
      if (share.kind !== "share") return []
      const { from, to } = share
      // A share of 0 is a rollout that has not begun.
      const isPart = share.by === by && (share.seed ?? key) === seed && to > from && (from > 0 || to < sum)
      const name = isGrowing ? "ramp" : "share"
      const what = isSegment ? `The ${name} in this segment` : `This ${name}`
      const percent = exactly(to - from)
      const needsSeed = isSegment && lacksSeed(share)
      const isFirst = from === 0
      return isPart ? [{ what, by, percent, isFirst, isGrowing, needsSeed, span: spanOfCondition(part) }] : []
    })
  })
}

/** A condition that all users of another fulfil. */
interface RequiredPart {
  readonly part: Condition
  /** Whether it is of the first stage of a ramp. */
  readonly isGrowing: boolean
}

/** The parts of a condition that all its users fulfil: no groups except ramps, and of a ramp's meaning, those of its first stage. */
function requiredParts(condition: Condition, reach: Reach): readonly RequiredPart[] {
  const required = (part: Condition, inner: readonly (readonly RequiredPart[])[]) => {
    const [first = [{ part, isGrowing: false }]] = inner
    if (isRamp(part))
      return reach === "groups"
        ? [{ part, isGrowing: true }]
        : first.map((stage) => ({ ...stage, isGrowing: true }))
    if ("parts" in part) return part.kind === "all" ? inner.flat() : []
    return first
  }
  return fold(condition, required, reach)
}

/** Without the digits that subtracting doubles adds. */
function exactly(percent: number): number {
  return Math.round(percent * 1_000) / 1_000
}
