import { keyOfFile } from "../definition/read.ts"
import { isSameMeaning, type Version } from "../meaning/compiled-flag.ts"

/** A commit of the first-parent line: what each changed path means from then on; `undefined`: the file is removed. */
export interface Revision {
  /** Milliseconds since 1970. Later revisions may have earlier times. */
  readonly at: number
  readonly changes: ReadonlyMap<string, Version | "unreadable" | undefined>
}

/** When a flag's parts last changed in meaning, in milliseconds since 1970. */
export interface FlagTimes {
  readonly createdAt: number
  /** Of the definition's own members. */
  readonly updatedAt: number
  /** Of each environment's configuration, by environment name. */
  readonly configurations: ReadonlyMap<string, number>
}

/** Where a timeline has arrived, so that a later one can go on from there. */
export interface TimelineState {
  /** What each file means, by path. */
  readonly files: ReadonlyMap<string, Version>
  /** The times of the flags that exist, by key. */
  readonly times: ReadonlyMap<string, FlagTimes>
}

/** Before the first revision. */
export const emptyState: TimelineState = { files: new Map(), times: new Map() }

export interface Timeline {
  readonly apply: (revision: Revision) => void
  readonly state: () => TimelineState
}

/**
 * When the flags that exist at the end changed in meaning. A flag is identified by its key, at whatever path.
 *
 * - A section's time is that of the last revision in which its meaning changed; a change and its reversal are two.
 * - A flag ends when no file has its key; if the key comes back, a new flag begins. A move within one revision ends
 *   nothing.
 * - A version that cannot be read changes nothing: the file keeps its meaning (the one from its old path, if the same
 *   revision moved it). A file that had no meaning yet has none until it can be read.
 * - Where several files have one key, which no build accepts, the flag is the file whose path sorts first.
 */
export function createTimeline(from: TimelineState = emptyState): Timeline {
  const files = new Map(from.files)
  const pathsByKey = new Map<string, Set<string>>()
  for (const [path, { key }] of files) {
    pathsByKey.set(key, (pathsByKey.get(key) ?? new Set()).add(path))
  }
  const flags = new Map<string, TimedVersion>()
  for (const [key, times] of from.times) {
    const version = versionOf(key)
    if (version !== undefined) flags.set(key, { ...times, version })
  }

  function apply({ at, changes }: Revision): void {
    const touched = new Set<string>()
    const next = [...changes].map(([path, version]) => {
      return [path, version === "unreadable" ? lastReadable(path, changes) : version] as const
    })
    for (const [path, version] of next) {
      const before = files.get(path)
      if (before !== undefined) {
        touched.add(before.key)
        pathsByKey.get(before.key)?.delete(path)
      }
      if (version === undefined) files.delete(path)
      else {
        touched.add(version.key)
        files.set(path, version)
        pathsByKey.set(version.key, (pathsByKey.get(version.key) ?? new Set()).add(path))
      }
    }
    for (const key of touched) update(key, at)
  }

  function lastReadable(path: string, changes: Revision["changes"]): Version | undefined {
    const own = files.get(path)
    if (own !== undefined) return own
    const moved = [...changes].find(([other, version]) => {
      return version === undefined && keyOfFile(other) === keyOfFile(path) && files.has(other)
    })
    return moved && files.get(moved[0])
  }

  function versionOf(key: string): Version | undefined {
    const [path = "", ...others] = pathsByKey.get(key) ?? []
    return files.get(others.reduce((least, other) => (other < least ? other : least), path))
  }

  function update(key: string, at: number): void {
    const version = versionOf(key)
    if (version === undefined) {
      flags.delete(key)
      pathsByKey.delete(key)
      return
    }
    const before = flags.get(key)
    const configurations = new Map<string, number>()
    for (const [environment, meaning] of version.configurations) {
      const same = isSameMeaning(before?.version.configurations.get(environment), meaning)
      configurations.set(environment, (same ? before?.configurations.get(environment) : undefined) ?? at)
    }
    const same = before !== undefined && isSameMeaning(before.version.definition, version.definition)
    flags.set(key, {
      version,
      createdAt: before?.createdAt ?? at,
      updatedAt: same ? before.updatedAt : at,
      configurations,
    })
  }

  return { apply, state: () => ({ files: new Map(files), times: new Map(flags) }) }
}

interface TimedVersion extends FlagTimes {
  readonly version: Version
}
