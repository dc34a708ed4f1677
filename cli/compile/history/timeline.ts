import { keyOfFile } from "../definition/read.ts"
import { isSameMeaning, type Version } from "../meaning/compiled-flag.ts"

/** A moment of the first-parent line: what lies at which path from then on; `undefined`: nothing. */
export interface Moment {
  /** Seconds since 1970. Later moments may have earlier times. */
  readonly at: number
  readonly changes: ReadonlyMap<string, Version | "unreadable" | undefined>
}

/** A flag that is there after the last moment, and when its parts changed, in seconds since 1970. */
export interface Life {
  readonly createdAt: number
  readonly updatedAt: number
  /** By environment. */
  readonly configurations: ReadonlyMap<string, number>
}

/** How things stand after a moment, so that a later timeline can go on from there. */
export interface Standing {
  /** What each file means, by path. */
  readonly files: ReadonlyMap<string, Version>
  readonly lives: Lives
}

/** Before the first moment. */
export const nothing: Standing = { files: new Map(), lives: new Map() }

export interface Timeline {
  readonly apply: (moment: Moment) => void
  /** As of now: the next moment changes it. */
  readonly standing: Standing
}

/**
 * When the flags that are there at the end changed in meaning. Identity is the key, whatever the path.
 *
 * - A section's time is that of the last moment at which its meaning became another; there and back again are two.
 * - A flag of which no file is left ends; if it comes again it starts anew. A move within one moment ends nothing.
 * - A version that cannot be read says nothing: the file keeps the meaning that it had (the one it had under its old
 *   path, if it moved just then); one that had none is not there yet.
 * - Where files share a key, which no build accepts, the one whose path sorts first is the flag.
 */
export function createTimeline(from: Standing = nothing): Timeline {
  const files = new Map(from.files)
  const pathsByKey = new Map<string, Set<string>>()
  for (const [path, { key }] of files) {
    pathsByKey.set(key, (pathsByKey.get(key) ?? new Set()).add(path))
  }
  const lives = new Map<string, Growing>()
  for (const [key, life] of from.lives) {
    const version = versionOf(key)
    if (version !== undefined) lives.set(key, { ...life, version })
  }

  function apply({ at, changes }: Moment): void {
    const touched = new Set<string>()
    const next = [...changes].map(([path, version]) => {
      return [path, version === "unreadable" ? carriedTo(path, changes) : version] as const
    })
    for (const [path, version] of next) {
      const old = files.get(path)
      if (old !== undefined) {
        touched.add(old.key)
        pathsByKey.get(old.key)?.delete(path)
      }
      if (version === undefined) files.delete(path)
      else {
        touched.add(version.key)
        files.set(path, version)
        pathsByKey.set(version.key, (pathsByKey.get(version.key) ?? new Set()).add(path))
      }
    }
    for (const key of touched) grow(key, at)
  }

  function carriedTo(path: string, changes: Moment["changes"]): Version | undefined {
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

  function grow(key: string, at: number): void {
    const version = versionOf(key)
    if (version === undefined) {
      lives.delete(key)
      pathsByKey.delete(key)
      return
    }
    const life = lives.get(key)
    const configurations = new Map<string, number>()
    for (const [environment, meaning] of version.configurations) {
      const same = isSameMeaning(life?.version.configurations.get(environment), meaning)
      configurations.set(environment, (same ? life?.configurations.get(environment) : undefined) ?? at)
    }
    const same = life !== undefined && isSameMeaning(life.version.definition, version.definition)
    lives.set(key, {
      version,
      createdAt: life?.createdAt ?? at,
      updatedAt: same ? life.updatedAt : at,
      configurations,
    })
  }

  return { apply, standing: { files, lives } }
}

/** By flag key. */
export type Lives = ReadonlyMap<string, Life>

interface Growing extends Life {
  readonly version: Version
}
