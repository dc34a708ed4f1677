import {
  type KnownSegments,
  namesOneOf,
  resolveSegments,
  type WrittenSegments,
  withUsers,
} from "../flag/resolve-segments.ts"
import { type FlagUse, isText } from "../language/condition.ts"
import { sameMeaning } from "../language/encode.ts"
import type { References } from "../language/references.ts"
import type { SegmentVersion } from "./flag-version.ts"
import { readableChanges } from "./readable-changes.ts"

/** The content of each changed segment file from a revision on; `undefined`: the file is removed. */
export type SegmentChanges = ReadonlyMap<string, SegmentVersion | "unreadable" | undefined>

/** The segments at successive revisions. */
export interface SegmentLine {
  /** Applies the next revision, and returns the names whose meaning it changed, including segments that use others. */
  readonly apply: (changes: SegmentChanges) => ReadonlySet<string>
  readonly current: () => References
  /** The segment in each file, by path. */
  readonly files: () => ReadonlyMap<string, SegmentVersion>
}

/**
 * Tracks segments by name, at any path. As with flags, a version that cannot be read changes nothing, and of several
 * files with the same name, the one whose path sorts first is the segment.
 */
export function createSegmentLine(from: ReadonlyMap<string, SegmentVersion>): SegmentLine {
  const files = new Map(from)
  let segments: KnownSegments = resolveSegments(conditionsOf(files))

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
    const changed = new Set(
      [conditions, before.conditions].flatMap((known) => [...withUsers(touched, known, namesOneOf)]),
    )
    segments = resolveSegments(conditions, { meanings: before.meanings, changed })
    return new Set([...changed].filter((name) => !sameMeaning(before.get(name), segments.get(name))))
  }

  return { apply, current: () => withAskedFlags(segments), files: () => new Map(files) }
}

const nothing: ReadonlySet<string> = new Set()

function conditionsOf(files: ReadonlyMap<string, SegmentVersion>): WrittenSegments {
  const paths = new Map<string, string>()
  for (const [path, { name }] of files) {
    const other = paths.get(name)
    if (other === undefined || path < other) paths.set(name, path)
  }
  return new Map([...paths].map(([name, path]) => [name, files.get(path)?.condition]))
}

/** Treats another flag's value as an attribute: that flag's own history has the changes of its rules. */
function withAskedFlags(references: References): References {
  const meaningOf = ({ key, is }: FlagUse) =>
    isText(`flag ${key}`, typeof is === "string" ? is : JSON.stringify(is))
  return { ...references, flags: { keys: () => [], get: () => undefined, meaningOf } }
}
