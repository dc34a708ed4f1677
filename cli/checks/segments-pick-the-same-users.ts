import type { Report } from "../diagnostics/diagnostic.ts"
import { quoted } from "../diagnostics/suggest.ts"
import { isRamp } from "../language/condition.ts"
import type { Flag, Segment } from "../language/flag.ts"
import { spanOfCondition } from "../reading/condition.ts"
import { conditionsIn, segmentsOf } from "../reading/conditions-in-file.ts"
import { endOf } from "../reading/share.ts"

/** A segment that several flags use has no percentage without a seed: each flag's key would pick different users. */
export function segmentsPickTheSameUsers(
  segments: readonly Segment[],
  flags: readonly Flag[],
  report: Report,
): void {
  const byName = new Map(segments.map((segment) => [segment.name, segment]))
  const users = Map.groupBy(
    flags.flatMap((flag) => segmentsOf(flag, byName)),
    (segment) => segment,
  )
  for (const segment of segments) {
    const count = users.get(segment)?.length ?? 0
    if (count < 2) continue
    for (const part of conditionsIn(segment)) {
      if (isRamp(part) && part.ramp.seed === undefined)
        report.add({
          code: "percentage-in-segment",
          message: `${count} flags use the segment ${quoted(segment.name)}, and each hashes its own key, so this ramp picks different users in each of them. Give it \`seed: ${segment.name}\`, or write it in the flags' rules instead.`,
          source: segment.source,
          span: spanOfCondition(part),
        })
      if (part.kind !== "share" || part.seed !== undefined || part.at?.value === undefined) continue
      const { at, by, to } = part
      const span = endOf(part) ?? spanOfCondition(part)
      const seeded = `share: { by: ${at?.attribute === undefined ? "userId" : by}, to: ${part.text ?? to}, seed: ${segment.name} }`
      report.add({
        code: "percentage-in-segment",
        message: `${count} flags use the segment ${quoted(segment.name)}, and each hashes its own key, so this percentage picks different users in each of them. Give it a seed, ${quoted(seeded)}, or write it in the flags' rules instead.`,
        source: segment.source,
        span: { start: span.start, end: span.end },
      })
    }
  }
}
