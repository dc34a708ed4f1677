import type { Report } from "../diagnostics/diagnostic.ts"
import { didYouMean, quoted } from "../diagnostics/suggest.ts"
import type { Project } from "../reading/project.ts"

/** Each segment that the fast lane names exists. `names`: those of all segments. */
export function laneSegmentsAreKnown(
  { fastLane, source }: Project,
  names: readonly string[],
  report: Report,
): void {
  for (const { allows, span } of fastLane) {
    if (allows.kind !== "segment" || names.includes(allows.name)) continue
    const message = `Unknown segment ${quoted(allows.name)}${didYouMean(allows.name, names)}`
    report.add({ code: "unknown-segment", message, source, span })
  }
}
