import { wholeFile } from "../diagnostics/diagnostic.ts"
import { quoted } from "../diagnostics/suggest.ts"
import type { Segment } from "../language/flag.ts"
import type { SegmentsCheck } from "./check.ts"

/** No two segments have the same name. Names that differ only in case look the same to readers and to some file systems. */
export const segmentsAreUnique: SegmentsCheck = (segments, report) => {
  const byName = new Map<string, Segment>()
  const byFoldedName = new Map<string, Segment>()
  for (const segment of segments) {
    const { name, source } = segment
    const other = byName.get(name) ?? byFoldedName.get(name.toLowerCase())
    if (other !== undefined)
      report.add({
        ...(other.name === name
          ? {
              code: "duplicate-segment",
              message: `Two segments have the name ${quoted(name)}. Rename or remove one of the files.`,
            }
          : {
              code: "segment-differs-in-case",
              message: `${quoted(name)} differs from ${quoted(other.name)} only in case. Give one of them a different name.`,
            }),
        source,
        span: wholeFile,
        related: [{ message: "The other is here.", location: { source: other.source, span: wholeFile } }],
      })
    if (!byName.has(name)) byName.set(name, segment)
    byFoldedName.set(name.toLowerCase(), byFoldedName.get(name.toLowerCase()) ?? segment)
  }
}
