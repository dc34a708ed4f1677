import { type Location, type Report, wholeFile } from "../diagnostics/diagnostic.ts"
import { quoted } from "../diagnostics/suggest.ts"
import { keyLocation } from "../reading/read-flag.ts"
import type { ProjectCheck, SegmentsCheck } from "./check.ts"

/** No two flags have the same key. */
export const keysAreUnique: ProjectCheck = (flags, _project, report) =>
  reportTwins(
    "flags",
    flags.map((flag) => ({ name: flag.key, ...keyLocation(flag) })),
    report,
  )

/** No two segments have the same name. */
export const segmentsAreUnique: SegmentsCheck = (segments, report) =>
  reportTwins(
    "segments",
    segments.map(({ name, source }) => ({ name, source, span: wholeFile })),
    report,
  )

const kinds = {
  flags: { noun: "key", same: "duplicate-key", alike: "key-differs-in-case" },
  segments: { noun: "name", same: "duplicate-segment", alike: "segment-differs-in-case" },
} as const

/** Names that differ only in case look the same to readers and to some file systems. */
function reportTwins(
  kind: keyof typeof kinds,
  named: readonly (Location & { readonly name: string })[],
  report: Report,
): void {
  const { noun, same, alike } = kinds[kind]
  const byName = new Map<string, (typeof named)[number]>()
  const byFoldedName = new Map<string, (typeof named)[number]>()
  for (const one of named) {
    const { name, source, span } = one
    const folded = name.toLowerCase()
    const other = byName.get(name) ?? byFoldedName.get(folded)
    if (!byName.has(name)) byName.set(name, one)
    if (other === undefined) byFoldedName.set(folded, one)
    else {
      const [code, message] =
        other.name === name
          ? [same, `Two ${kind} have the ${noun} ${quoted(name)}. Rename or remove one of the files.`]
          : [
              alike,
              `${quoted(name)} differs from ${quoted(other.name)} only in case. Give one of them a different ${noun}.`,
            ]
      const location = { source: other.source, span: other.span }
      report.add({ code, message, source, span, related: [{ message: "The other is here.", location }] })
    }
  }
}
