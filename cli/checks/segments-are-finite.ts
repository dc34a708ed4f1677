import { compareText } from "../diagnostics/diagnostic.ts"
import { quoted } from "../diagnostics/suggest.ts"
import { type SegmentUse, visit } from "../language/condition.ts"
import type { Segment } from "../language/flag.ts"
import { spanOfName } from "../reading/condition.ts"
import type { SegmentsCheck } from "./check.ts"
import { mostShown, pathWords, referencePath } from "./reference-path.ts"

/**
 * No segment refers to itself, directly or through others. A cycle is reported at the segment whose name sorts first; another
 * one through its segments, which may be thousands, once it is mended.
 */
export const segmentsAreFinite: SegmentsCheck = (segments, report) => {
  const byName = new Map(segments.toReversed().map((segment) => [segment.name, segment])) // the first of two
  const uses = new Map([...byName].map(([name, segment]) => [name, usesIn(segment)]))
  const usesOf = (name: string) => (uses.get(name) ?? []).map((use) => use.name)
  const placeOf = (segment: Segment, next: string | undefined) => {
    const use = uses.get(segment.name)?.find(({ name }) => name === next)
    return { source: segment.source, span: use === undefined ? segment.root : spanOfName(use) }
  }
  const reported = new Set<string>()
  for (const [name, segment] of [...byName].sort(([a], [b]) => compareText(a, b))) {
    if (reported.has(name)) continue
    for (const next of new Set(usesOf(name))) {
      const path = referencePath(next, name, usesOf)
      if (path === undefined) continue
      for (const other of path) reported.add(other)
      report.add({
        code: "segment-cycle",
        message:
          path.length === 1
            ? `The segment ${quoted(name)} refers to itself. Write a condition instead.`
            : `Segments refer to each other in a cycle: ${pathWords([name, ...path])}. Remove one of these references.`,
        ...placeOf(segment, next),
        related: path.slice(0, -1).flatMap((other, at) => {
          const message = `${quoted(other)} refers to the next one here.`
          const step = byName.get(other)
          return step === undefined || at >= mostShown
            ? []
            : { message, location: placeOf(step, path[at + 1]) }
        }),
      })
    }
  }
}

/** The uses in a segment that mean nothing, as each in a cycle does. */
function usesIn({ condition }: Segment): readonly SegmentUse[] {
  return [...visit(condition)]
    .filter((part) => part.kind === "segment")
    .filter(({ means }) => means === undefined)
}
