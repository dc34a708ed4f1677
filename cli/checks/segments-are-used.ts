import { type Report, wholeFile } from "../diagnostics/diagnostic.ts"
import { quoted } from "../diagnostics/suggest.ts"
import type { Segment } from "../language/flag.ts"
import { conditionsIn, type WithConditions } from "../reading/conditions-in-file.ts"
import type { Project } from "../reading/project.ts"

/** Each segment is used by a flag, an invariant, another segment or the fast lane. */
export function segmentsAreUsed(
  segments: readonly Segment[],
  others: readonly WithConditions[],
  { fastLane }: Pick<Project, "fastLane">,
  report: Report,
): void {
  if (segments.length === 0) return
  const used = new Set<string>()
  for (const file of [...segments, ...others])
    for (const part of conditionsIn(file)) if (part.kind === "segment") used.add(part.name)
  for (const { allows } of fastLane) if (allows.kind === "segment") used.add(allows.name)
  const names = new Set(segments.map(({ name }) => name))
  if ([...used].some((name) => !names.has(name))) return // a misspelt name would be reported twice
  /** An unknown field may have been meant to use a segment. */
  const inDoubt = report.diagnostics.flatMap(({ code, location }) =>
    code === "unknown-field" ? location.source.text : [],
  )
  for (const { name, source } of segments) {
    if (used.has(name) || inDoubt.some((text) => text.includes(name))) continue
    const message = `Nothing uses the segment ${quoted(name)}. Write \`segment: ${name}\` in a rule, or remove the file.`
    report.add({ code: "unused-segment", message, source, span: wholeFile })
  }
}
