import { wholeFile } from "../../diagnostics/diagnostic.ts"
import { quoted } from "../../diagnostics/suggest.ts"
import type { DefinedSegment } from "../definition/definition.ts"
import type { SegmentsCheck } from "./check.ts"

/** No two segments have the same name. */
export const segmentsAreUnique: SegmentsCheck = (segments, report) => {
  const seen = new Map<string, DefinedSegment>()
  for (const segment of segments) {
    const { name, source } = segment
    const first = seen.get(name)
    if (first === undefined) seen.set(name, segment)
    else
      report.add({
        code: "duplicate-segment",
        message: `Two segments have the name ${quoted(name)}. Rename or remove one of the files.`,
        source,
        span: wholeFile,
        related: [{ message: "The other is here.", location: { source: first.source, span: wholeFile } }],
      })
  }
}
