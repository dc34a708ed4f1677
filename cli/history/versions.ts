import type { SourceFile } from "../diagnostics/diagnostic.ts"
import type { Flag } from "../language/flag.ts"
import { blobId } from "../reading/files/blob-id.ts"
import { isListPath, isSchemaPath, isSegmentPath, projectFileName } from "../reading/files/file-names.ts"
import { identityOf } from "../reading/files/flag-file.ts"
import { pathFrom } from "../reading/files/read.ts"
import type { Project } from "../reading/project.ts"
import type { LoneSegment } from "../reading/read-segment.ts"
import { readBlobs } from "./blobs.ts"
import { type FlagVersion, type SegmentVersion, versionOfFlag } from "./flag-version.ts"
import { compileOldSegment, listVersion, readOldFlag, segmentVersion } from "./old-version.ts"
import type { Inside } from "./repository.ts"
import type { Revision } from "./timeline.ts"
import type { Commit, FileChange } from "./walk.ts"
import type { WorkTreeChanges } from "./work-tree.ts"

/** The meanings of versions that are in the history but no longer in the work tree. */
export interface OldVersions {
  /** By `identityOf`. */
  readonly flags: ReadonlyMap<string, FlagVersion | "unreadable">
  /** By `identityOf`. */
  readonly segments: ReadonlyMap<string, SegmentVersion | "unreadable">
}

/**
 * Compiles each version that a commit added once, except those that are still in the work tree and compiled there. Throws
 * once they are no longer wanted.
 */
export async function readOldVersions(
  commits: readonly Commit[],
  workTree: WorkTreeChanges,
  { repository, project, isWanted }: OldVersionsRequest,
): Promise<OldVersions> {
  /** The paths of each blob; a path can repeat. */
  const wanted = new Map<string, string[]>()
  for (const { changes } of commits) {
    for (const [path, { after }] of changes) {
      if (after === undefined || isForReaders(path) || workTree.committed.get(path) === after) continue
      const paths = wanted.get(after)
      if (paths === undefined) wanted.set(after, [path])
      else paths.push(path)
    }
  }
  const flags = new Map<string, FlagVersion | "unreadable">()
  const segments = new Map<string, SegmentVersion | "unreadable">()
  const throwUnlessWanted = () => {
    if (!isWanted()) throw new Error("the old versions are no longer wanted")
  }
  throwUnlessWanted()
  await readBlobs(repository.git, repository.top, [...wanted.keys()], (blob, bytes) => {
    throwUnlessWanted()
    for (const path of wanted.get(blob) ?? []) {
      const identity = identityOf(blob, path)
      if (flags.has(identity) || segments.has(identity)) continue
      if (isSegmentPath(path) || isListPath(path)) {
        segments.set(identity, compileOldSegment(bytes, path, project))
        continue
      }
      const flag = readOldFlag(bytes, path, project)
      flags.set(identity, flag === undefined ? "unreadable" : versionOfFlag(flag, path, blob))
    }
  })
  return { flags, segments }
}

interface OldVersionsRequest {
  readonly repository: Inside
  readonly project: Project
  readonly isWanted: () => boolean
}

/** The meanings of all versions of the flag files and segment files. */
export interface Versions {
  /** The meanings of the files that a commit changes. */
  readonly committed: (changes: ReadonlyMap<string, FileChange>) => Omit<Revision, "at">
  /** The changes since the newest commit. */
  readonly uncommitted: Required<Omit<Revision, "at">>
}

/** The files of the work tree. */
export interface Current {
  readonly flags: readonly Flag[]
  /** As written. */
  readonly defined: readonly LoneSegment[]
  /** All files, among them those with lists. */
  readonly sources: readonly SourceFile[]
}

/** Combines the files of the work tree with the old versions. */
export function joinVersions(
  { flags, defined, sources }: Current,
  workTree: WorkTreeChanges,
  old: OldVersions,
  project: Project,
  hash: Inside["hash"],
): Versions {
  const current = new Map(
    flags.map((flag) => {
      const { source } = flag
      const path = pathFrom(project.folder, source.path)
      return [path, versionOfFlag(flag, path, workTree.committed.get(path) ?? blobId(source.text, hash))]
    }),
  )
  const lists = sources.flatMap(({ path, text }) => {
    const name = pathFrom(project.folder, path)
    return isListPath(name) ? [[name, listVersion(text, name)] as const] : []
  })
  const segments = new Map([
    ...defined.map((one) => [pathFrom(project.folder, one.source.path), segmentVersion(one)] as const),
    ...lists,
  ])
  const isCurrent = (path: string, blob: string) => workTree.committed.get(path) === blob
  const flagAt = (path: string, blob: string) =>
    isCurrent(path, blob) ? current.get(path) : old.flags.get(identityOf(blob, path))
  const segmentAt = (path: string, blob: string) =>
    isCurrent(path, blob) ? segments.get(path) : old.segments.get(identityOf(blob, path))
  const committed = (all: ReadonlyMap<string, FileChange>) => {
    const revision = emptyRevision()
    for (const [path, { after }] of all) {
      if (isForReaders(path)) continue
      if (isSegmentPath(path) || isListPath(path))
        revision.segments.set(path, after === undefined ? undefined : segmentAt(path, after))
      else revision.changes.set(path, after === undefined ? undefined : flagAt(path, after))
    }
    return revision
  }
  const uncommitted = emptyRevision()
  for (const path of workTree.uncommitted.filter((path) => !isForReaders(path)))
    if (isSegmentPath(path) || isListPath(path)) uncommitted.segments.set(path, segments.get(path))
    else uncommitted.changes.set(path, current.get(path))
  return { uncommitted, committed }
}

/** Whether a file changes no time: versions are compiled with today's project file, and schemas are in no snapshot. */
function isForReaders(path: string): boolean {
  return path === projectFileName || isSchemaPath(path)
}

function emptyRevision() {
  return {
    changes: new Map<string, FlagVersion | "unreadable" | undefined>(),
    segments: new Map<string, SegmentVersion | "unreadable" | undefined>(),
  }
}
