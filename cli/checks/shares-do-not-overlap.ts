import type { Range } from "../conditions/share-range.ts"
import type { Location, Report } from "../diagnostics/diagnostic.ts"
import { messageOf, phrase } from "../diagnostics/phrase.ts"
import { visit } from "../language/condition.ts"
import type { Flag } from "../language/flag.ts"
import { spanOfCondition } from "../reading/condition.ts"
import { endOf } from "../reading/share.ts"

/** The users of one seed whom a rule picks, in percent; those of a split together. */
interface FlagRange extends Range {
  readonly flag: string
  readonly environment: string
  readonly by: string
  readonly seed: string
  readonly location: Location
}

/**
 * In one environment, ranges of one seed in two flags are equal, nested or disjoint. Each pair of flags is reported once.
 */
export function sharesDoNotOverlap(flags: readonly Flag[], report: Report): void {
  const ranges = flags.flatMap(rangesIn)
  const bySeed = Map.groupBy(ranges, ({ environment, by, seed }) => JSON.stringify([environment, by, seed]))
  const reported = new Set<string>()
  for (const own of bySeed.values()) {
    // Many flags share a few ranges.
    const distinct = [
      ...new Map(own.toReversed().map((one) => [`${one.flag} ${one.from} ${one.to}`, one])).values(),
    ]
    const byRange = [...Map.groupBy(distinct, ({ from, to }) => `${from} ${to}`).values()]
    for (const [at, [range]] of byRange.entries())
      for (const [earlier] of byRange.slice(0, at)) {
        if (range === undefined || earlier === undefined || range.flag === earlier.flag) continue
        const [first, second] = range.from < earlier.from ? [range, earlier] : [earlier, range]
        const isOverlap = first.from < second.from && second.from < first.to && first.to < second.to
        if (!isOverlap) continue
        const names = [first.flag, second.flag].toSorted().join("\n")
        if (reported.has(names)) continue
        reported.add(names)
        report.add(overlap(first, second))
      }
  }
}

function overlap(first: FlagRange, second: FlagRange) {
  const both = phrase`${second.from} to ${first.to} %`
  return {
    code: "shares-overlap" as const,
    ...messageOf(
      phrase`In ${second.environment}, ${both} of users by ${second.by} (seed ${second.seed}) are in this share and in one of ${first.flag}, but neither contains the other. Let them be equal, nested or disjoint.`,
    ),
    ...second.location,
    related: [{ message: "The other share is here.", location: first.location }],
  }
}

function rangesIn({ key, source, configurations }: Flag): readonly FlagRange[] {
  return [...configurations.values()].flatMap(({ environment, rules }) => {
    const shares = rules.flatMap(({ condition, item, number }) =>
      [...visit(condition)].flatMap((part) => (part.kind === "share" ? [{ part, item, number }] : [])),
    )
    // The arms of a split are one range.
    const bySplit = Map.groupBy(shares, ({ part: { by, seed }, item, number }, at) =>
      JSON.stringify([by, seed, item.split === undefined ? at : `${number}`]),
    )
    return [...bySplit.values()].flatMap(([first, ...arms]): readonly FlagRange[] => {
      if (first?.part.seed === undefined) return []
      const { by, seed } = first.part
      const parts = [first, ...arms].map(({ part }) => part)
      const span = endOf(first.part) ?? spanOfCondition(first.part)
      const ends = {
        from: Math.min(...parts.map(({ from }) => from)),
        to: Math.max(...parts.map(({ to }) => to)),
      }
      const location = { source, span: { start: span.start, end: span.end } }
      return [{ flag: key, environment, by, seed, ...ends, location }]
    })
  })
}
