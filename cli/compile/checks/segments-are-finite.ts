import type { Location, Report } from "../../diagnostics/diagnostic.ts"
import { quoted } from "../../diagnostics/suggest.ts"
import type { DefinedSegment, DefinedUse } from "../definition/definition.ts"
import { eachUse } from "../definition/each-condition.ts"
import type { SegmentsCheck } from "./check.ts"

/** No segment refers to itself, directly or through others. Each circle is reported once. */
export const segmentsAreFinite: SegmentsCheck = (segments, report) => {
  const byName = new Map<string, DefinedSegment>()
  for (const segment of segments) if (!byName.has(segment.name)) byName.set(segment.name, segment)
  const done = new Set<string>()
  for (const segment of byName.values()) if (!done.has(segment.name)) search(segment, byName, done, report)
}

/** A segment on the way from the first, and those of its uses that have not been followed. */
interface Step {
  readonly segment: DefinedSegment
  readonly uses: DefinedUse[]
  /** The one that is being followed. */
  use: DefinedUse | undefined
}

/** Without recursion, because a chain of segments can be as long as there are files. */
function search(
  first: DefinedSegment,
  byName: ReadonlyMap<string, DefinedSegment>,
  done: Set<string>,
  report: Report,
): void {
  const way: Step[] = [stepOf(first)]
  for (let step = way[0]; step !== undefined; step = way.at(-1)) {
    const use = step.uses.shift()
    const next = byName.get(use?.name?.text ?? "")
    step.use = use
    if (use === undefined) {
      done.add(step.segment.name)
      way.pop()
    } else if (next !== undefined && !done.has(next.name)) {
      const start = way.findIndex(({ segment }) => segment === next)
      if (start === -1) way.push(stepOf(next))
      else reportCircle(way.slice(start), report)
    }
  }
}

function stepOf(segment: DefinedSegment): Step {
  const uses: DefinedUse[] = []
  eachUse(segment.condition, (use) => uses.push(use))
  return { segment, uses, use: undefined }
}

function reportCircle(circle: readonly Step[], report: Report): void {
  const [first, ...others] = circle
  if (first === undefined) return
  const names = [...circle, first].map(({ segment }) => quoted(segment.name))
  const shown = names.length > mostShown ? [...names.slice(0, mostShown - 1), "…", ...names.slice(-1)] : names
  report.add({
    code: "segment-cycle",
    message:
      others.length === 0
        ? `The segment ${quoted(first.segment.name)} refers to itself. Write its condition here.`
        : `Segments refer to each other in a cycle: ${shown.join(" → ")}. Write the condition of one of them without the next.`,
    ...placeOf(first),
    related: others.slice(0, mostShown).map((step) => ({
      message: `${quoted(step.segment.name)} continues here.`,
      location: placeOf(step),
    })),
  })
}

/** No one reads the names of a thousand. */
const mostShown = 10

function placeOf({ segment, use }: Step): Location {
  return { source: segment.source, span: use?.name?.span ?? use?.nameSpan ?? segment.root }
}
