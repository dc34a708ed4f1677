import { join } from "node:path"
import { checkSegmentFiles } from "../../compile/checks/check-segment-files.ts"
import type { Project } from "../../compile/definition/project.ts"
import { noSegments, type Segments } from "../../compile/definition/segments.ts"
import { compileOldSegment } from "../../compile/history/old-version.ts"
import { isSegmentPath } from "../../compile/read/file-names.ts"
import { identityOf } from "../../compile/read/flag-file.ts"
import { decodeSource } from "../../compile/read/read-source.ts"
import { createReport } from "../../diagnostics/diagnostic.ts"
import { type KeptVersion, putIn } from "../versions/kept-version.ts"
import type { Files } from "./readable-files.ts"

/** What old files mean, each made once. */
export interface Meanings {
  /** The flag of a file among others, which have the segments; `undefined` where it cannot be read. */
  readonly flag: (path: string, blob: string, segments: SegmentState) => KeptVersion | undefined
  readonly segments: (files: Files) => SegmentState
  /** The paths of files that use a segment. */
  readonly usersOfSegments: (files: Files) => readonly string[]
  /** Whether a version of a file says anything. */
  readonly isReadable: (path: string, blob: string) => boolean
}

/** The segments of one moment. Equal states have equal names. */
export interface SegmentState {
  readonly name: string
  readonly segments: Segments
}

/** What has been read of the files, each version once. */
export interface ReadVersions {
  /** By `identityOf`, each with whatever segments; `undefined`: nobody can read it. */
  readonly flags: ReadonlyMap<string, KeptVersion | undefined>
  /** The texts of segment files, by blob. */
  readonly segments: ReadonlyMap<string, Uint8Array>
}

export function createMeanings({ flags, segments: texts }: ReadVersions, project: Project): Meanings {
  // A history asks only for versions that have been read.
  const areAllReadable = ![...flags.values()].includes(undefined)
  const users = new Map<string, KeptVersion>()
  const states = new Map<string, SegmentState>()

  function flag(path: string, blob: string, { name, segments }: SegmentState): KeptVersion | undefined {
    const identity = identityOf(blob, path)
    const version = flags.get(identity)
    if (version?.inSegments === undefined) return version
    const own = `${identity} ${name}`
    const made = users.get(own) ?? putIn(segments, version)
    users.set(own, made)
    return made
  }

  return {
    flag,
    usersOfSegments: (files) =>
      [...files].flatMap(([path, blob]) =>
        flags.get(identityOf(blob, path))?.inSegments === undefined ? [] : [path],
      ),
    isReadable(path, blob) {
      if (!isSegmentPath(path)) return areAllReadable || flags.get(identityOf(blob, path)) !== undefined
      return compileOldSegment(texts.get(blob) ?? Buffer.of(), path) !== "unreadable"
    },
    segments(files) {
      const own = [...files].filter(([path]) => isSegmentPath(path)).sort(([a], [b]) => (a < b ? -1 : 1))
      const name = own.flat().join("\0")
      const known = states.get(name)
      if (known !== undefined) return known
      const read = ([path, blob]: readonly [string, string]) =>
        decodeSource(join(project.folder, path), texts.get(blob) ?? Buffer.of(), createReport()) ?? []
      const segments =
        own.length === 0 ? noSegments : checkSegmentFiles(own.flatMap(read), project, createReport()).segments
      const state = { name, segments }
      states.set(name, state)
      return state
    },
  }
}
