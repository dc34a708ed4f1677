import type { Location, Report } from "../diagnostics/diagnostic.ts"
import { quoted } from "../diagnostics/suggest.ts"
import { type SegmentUse, visit } from "../language/condition.ts"
import type { Segment } from "../language/flag.ts"
import { spanOfName } from "../reading/condition.ts"
import type { SegmentsCheck } from "./check.ts"

/** No segment refers to itself, directly or through others. Each cycle is reported once. */
export const segmentsAreFinite: SegmentsCheck = (segments, report) => {
  const byName = new Map<string, Segment>()
  for (const segment of segments) if (!byName.has(segment.name)) byName.set(segment.name, segment)
  const done = new Set<string>()
  for (const segment of byName.values()) if (!done.has(segment.name)) search(segment, byName, done, report)
}

/** A segment on the path from the first, with those of its uses that have not been followed. */
interface Step {
  readonly segment: Segment
  readonly uses: SegmentUse[]
  /** The one that is being followed. */
  use: SegmentUse | undefined
}

/** Without recursion, because a chain of segments can be as long as there are files. */
function search(
  first: Segment,
  byName: ReadonlyMap<string, Segment>,
  done: Set<string>,
  report: Report,
): void {
  const path: Step[] = [stepOf(first)]
  for (let step = path[0]; step !== undefined; step = path.at(-1)) {
    const use = step.uses.shift()
    const next = byName.get(use?.name ?? "")
    step.use = use
    if (use === undefined) {
      done.add(step.segment.name)
      path.pop()
    } else if (next !== undefined && !done.has(next.name)) {
      const start = path.findIndex(({ segment }) => segment === next)
      if (start === -1) path.push(stepOf(next))
      else reportCycle(path.slice(start), report)
    }
  }
}

function stepOf(segment: Segment): Step {
  const uses = [...visit(segment.condition)].filter((part) => part.kind === "segment")
  return { segment, uses, use: undefined }
}

function reportCycle(cycle: readonly Step[], report: Report): void {
  const [first, ...others] = cycle
  if (first === undefined) return
  const names = [...cycle, first].map(({ segment }) => quoted(segment.name))
  const shown = names.length > mostShown ? [...names.slice(0, mostShown - 1), "…", ...names.slice(-1)] : names
  report.add({
    code: "segment-cycle",
    message:
      others.length === 0
        ? `The segment ${quoted(first.segment.name)} refers to itself. Write a condition instead.`
        : `Segments refer to each other in a cycle: ${shown.join(" → ")}. Remove one of these references.`,
    ...placeOf(first),
    related: others.slice(0, mostShown).map((step) => ({
      message: `${quoted(step.segment.name)} refers to the next one here.`,
      location: placeOf(step),
    })),
  })
}

/** A limit for the message, because a cycle may have thousands of segments. */
const mostShown = 10

function placeOf({ segment, use }: Step): Location {
  return { source: segment.source, span: use === undefined ? segment.root : spanOfName(use) }
}
