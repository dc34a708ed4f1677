import { isAnyOf } from "../../language/comparisons.ts"
import type { ExpandedSegment, Segments } from "../definition/segments.ts"
import {
  expandSegments,
  type KnownSegments,
  type OpenSegments,
  withUsers,
} from "../meaning/expand-segments.ts"
import type { SegmentVersion } from "../meaning/flag-version.ts"
import { parseFlagUse } from "../meaning/open-condition.ts"
import { readableChanges } from "./readable-changes.ts"

/** The content of each changed segment file from a revision on; `undefined`: the file is removed. */
export type SegmentChanges = ReadonlyMap<string, SegmentVersion | "unreadable" | undefined>

/** The segments at successive revisions. */
export interface SegmentLine {
  /** Applies the next revision, and returns the names whose meaning it changed, including segments that use others. */
  readonly apply: (changes: SegmentChanges) => ReadonlySet<string>
  readonly current: () => Segments
  /** The segment in each file, by path. */
  readonly files: () => ReadonlyMap<string, SegmentVersion>
}

/**
 * Tracks segments by name, at any path. As with flags, a version that cannot be read changes nothing, and of several
 * files with the same name, the one whose path sorts first is the segment.
 */
export function createSegmentLine(from: ReadonlyMap<string, SegmentVersion>): SegmentLine {
  const files = new Map(from)
  let segments: KnownSegments = expandSegments(conditionsOf(files))

  function apply(changes: SegmentChanges): ReadonlySet<string> {
    if (changes.size === 0) return nothing
    const touched = new Set<string>()
    for (const [path, version] of readableChanges(changes, files)) {
      const before = files.get(path)
      if (before !== undefined) touched.add(before.name)
      if (version === undefined) files.delete(path)
      else {
        touched.add(version.name)
        files.set(path, version)
      }
    }
    const conditions = conditionsOf(files)
    const before = segments
    const changed = new Set([...withUsers(touched, conditions), ...withUsers(touched, before.conditions)])
    segments = expandSegments(conditions, { expanded: before.expanded, changed })
    return new Set([...changed].filter((name) => !isSame(before.get(name), segments.get(name))))
  }

  return { apply, current: () => withAskedFlags(segments), files: () => new Map(files) }
}

const nothing: ReadonlySet<string> = new Set()

function conditionsOf(files: ReadonlyMap<string, SegmentVersion>): OpenSegments {
  const paths = new Map<string, string>()
  for (const [path, { name }] of files) {
    const other = paths.get(name)
    if (other === undefined || path < other) paths.set(name, path)
  }
  return new Map([...paths].map(([name, path]) => [name, files.get(path)?.condition]))
}

/** Treats another flag's value as an attribute: that flag's own history has the changes of its rules. */
function withAskedFlags(segments: Segments): Segments {
  const get = (name: string) => {
    const [, key, gives = null] = parseFlagUse(name) ?? []
    if (key === undefined) return segments.get(name)
    const value = typeof gives === "string" ? gives : JSON.stringify(gives)
    return { condition: isAnyOf(`flag ${key}`, [value]), depth: 0, conditions: 0 }
  }
  return { ...segments, get }
}

function isSame(before: ExpandedSegment | undefined, after: ExpandedSegment | undefined): boolean {
  if (before === undefined || after === undefined) return before === after
  const { attribute, operator, value } = before.condition
  const other = after.condition
  return attribute === other.attribute && operator === other.operator && value === other.value
}
