import type { Report } from "../../diagnostics/diagnostic.ts"
import { quoted } from "../../diagnostics/suggest.ts"
import type { DefinedSegment, Definition } from "../definition/definition.ts"
import { eachComparison, segmentsOf } from "../definition/each-condition.ts"

/** A segment that several flags use has no percentage: each flag deals by its own key, so it would be other people in each. */
export function segmentsAreTheSamePeople(
  segments: readonly DefinedSegment[],
  definitions: readonly Definition[],
  report: Report,
): void {
  const byName = new Map(segments.map((segment) => [segment.name, segment]))
  const users = Map.groupBy(
    definitions.flatMap((flag) => segmentsOf(flag, byName)),
    (segment) => segment,
  )
  for (const segment of segments) {
    const count = users.get(segment)?.length ?? 0
    if (count < 2) continue
    eachComparison(segment, ({ operator, value }) => {
      const span = value ?? operator?.span
      if (operator?.text !== "percentage" || span === undefined) return
      report.add({
        code: "percentage-in-segment",
        message: `${count} flags use the segment ${quoted(segment.name)}, and each deals by its own key: this percentage is of other users in each of them. Write it in the flags' rules instead.`,
        source: segment.source,
        span: { start: span.start, end: span.end },
      })
    })
  }
}
