import type { References } from "../language/references.ts"
import { compareWithSegments, type IsSame } from "./configuration-comparison.ts"
import type { FlagVersion, SegmentVersion } from "./flag-version.ts"
import { readableChanges } from "./readable-changes.ts"
import { createSegmentLine, type SegmentChanges } from "./segment-line.ts"

/**
 * A commit on the first-parent line: the meaning of each changed path from then on; `undefined`: the file is removed.
 */
export interface Revision {
  /** Milliseconds since 1970. Later revisions may have earlier times. */
  readonly at: number
  readonly changes: ReadonlyMap<string, FlagVersion | "unreadable" | undefined>
  /** Absent if no segment file changed. */
  readonly segments?: SegmentChanges
}

/** What a revision does. */
export interface Step {
  /** The flags of the files that it changes, and those that use a segment whose meaning it changes. */
  readonly flags: readonly FlagStep[]
  readonly segmentsBefore: References
  readonly segmentsAfter: References
}

/** A flag before and after a revision; `undefined`: it does not exist. */
export interface FlagStep {
  readonly before: FlagVersion | undefined
  readonly after: FlagVersion | undefined
}

/** When a flag's parts last changed in meaning, in milliseconds since 1970. */
export interface FlagTimes {
  readonly createdAt: number
  /** Of the definition's own members. */
  readonly updatedAt: number
  /** Of its `defaultValue` alone. */
  readonly defaultAt: number
  /** Of each environment's configuration, by environment name; if it was removed, the time of its removal. */
  readonly configurations: ReadonlyMap<string, number>
}

/** The state that a timeline has reached, from which a later one can continue. */
export interface TimelineState {
  /** The meaning of each file, by path. */
  readonly files: ReadonlyMap<string, FlagVersion>
  /** The times of the flags that exist, by key. */
  readonly times: ReadonlyMap<string, FlagTimes>
  /** The segment in each file, by path. */
  readonly segments: ReadonlyMap<string, SegmentVersion>
}

const noChanges: SegmentChanges = new Map()

/** Before the first revision. */
export const emptyState: TimelineState = { files: new Map(), times: new Map(), segments: new Map() }

export interface Timeline {
  readonly apply: (revision: Revision) => Step
  readonly state: () => TimelineState
}

/**
 * When the flags that exist at the end changed in meaning. A flag is identified by its key, at any path.
 *
 * - A part's time is that of the last revision that changed its meaning; a change and its reversal are two changes.
 * - A configuration's meaning depends on the segments of the revision: a configuration that uses a segment, directly or
 *   through others, changes with it.
 * - A flag ends when no file has its key; if the key comes back, a new flag begins. A move within one revision ends
 *   nothing.
 * - A version that cannot be read changes nothing: the file keeps its meaning (the one from its old path, if the same
 *   revision moved it). A file that had no meaning yet has none until it can be read.
 * - If several files have the same key, which no build accepts, the flag is the file whose path sorts first.
 */
export function createTimeline(from: TimelineState = emptyState): Timeline {
  const files = new Map(from.files)
  const flags = new Map<string, ReplayedFlag>()
  const segmentLine = createSegmentLine(from.segments)
  const usersOf = new Map<string, Set<ReplayedFlag>>()
  for (const [path, { key }] of files) flagOf(key).paths.add(path)
  for (const flag of flags.values()) {
    setVersion(flag, versionOf(flag))
    flag.times = from.times.get(flag.key)
  }

  function apply({ at, changes, segments = noChanges }: Revision): Step {
    const touched = new Set<ReplayedFlag>()
    const segmentsBefore = segmentLine.current()
    const changed = segmentLine.apply(segments)
    for (const name of changed) for (const flag of usersOf.get(name) ?? []) touched.add(flag)
    for (const [path, version] of readableChanges(changes, files)) {
      const before = files.get(path)
      if (version === undefined) files.delete(path)
      else files.set(path, version)
      if (before !== undefined && before.key !== version?.key) {
        const flag = flagOf(before.key)
        flag.paths.delete(path)
        touched.add(flag)
      }
      if (version !== undefined) {
        const flag = flagOf(version.key)
        flag.paths.add(path)
        touched.add(flag)
      }
    }
    const segmentsAfter = segmentLine.current()
    const isSame = compareWithSegments(segmentsBefore, segmentsAfter, changed)
    const flags = [...touched].map((flag): FlagStep => {
      const before = flag.version
      update(flag, at, isSame)
      return { before, after: flag.version }
    })
    return { flags, segmentsBefore, segmentsAfter }
  }

  function flagOf(key: string): ReplayedFlag {
    const known = flags.get(key)
    if (known !== undefined) return known
    const flag = { key, paths: new Set<string>(), version: undefined, times: undefined }
    flags.set(key, flag)
    return flag
  }

  function versionOf({ paths }: ReplayedFlag): FlagVersion | undefined {
    let least: string | undefined
    for (const path of paths) if (least === undefined || path < least) least = path
    return least === undefined ? undefined : files.get(least)
  }

  /** Sets a flag's version, and updates which flags use which segments. */
  function setVersion(flag: ReplayedFlag, version: FlagVersion | undefined): void {
    if (flag.version === version) return
    for (const name of usedBy(flag.version)) usersOf.get(name)?.delete(flag)
    for (const name of usedBy(version)) usersOf.set(name, (usersOf.get(name) ?? new Set()).add(flag))
    flag.version = version
  }

  function update(flag: ReplayedFlag, at: number, isSame: IsSame): void {
    const version = versionOf(flag)
    if (version === undefined) {
      setVersion(flag, undefined)
      flags.delete(flag.key)
      return
    }
    const { version: before, times } = flag
    const configurations = new Map(times?.configurations)
    for (const environment of before?.configurations.keys() ?? [])
      if (!version.configurations.has(environment)) configurations.set(environment, at)
    for (const environment of version.configurations.keys()) {
      const same = isSame(before, version, environment)
      configurations.set(environment, (same ? times?.configurations.get(environment) : undefined) ?? at)
    }
    const { createdAt = at, updatedAt = at, defaultAt = at } = times ?? {}
    setVersion(flag, version)
    flag.times = {
      createdAt,
      updatedAt: before?.definition === version.definition ? updatedAt : at,
      defaultAt: before?.defaultValue === version.defaultValue ? defaultAt : at,
      configurations,
    }
  }

  function state(): TimelineState {
    const times = new Map<string, FlagTimes>()
    for (const flag of flags.values()) if (flag.times !== undefined) times.set(flag.key, flag.times)
    return { files: new Map(files), times, segments: segmentLine.files() }
  }

  return { apply, state }
}

/** The names of the segments that a version uses; a name can repeat. */
function usedBy(version: FlagVersion | undefined): readonly string[] {
  return [...(version?.configurations.values() ?? [])].flatMap((meaning) =>
    typeof meaning === "object" ? meaning.segments : [],
  )
}

/** A flag as replayed so far. */
interface ReplayedFlag {
  readonly key: string
  /** The paths of the files that have its key. */
  readonly paths: Set<string>
  /** `undefined`, as are its times, until the revision in which the flag begins has been applied. */
  version: FlagVersion | undefined
  times: FlagTimes | undefined
}
