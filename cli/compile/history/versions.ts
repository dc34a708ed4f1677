import type { Project } from "../definition/project.ts"
import type { LoneSegment } from "../definition/validate-segment.ts"
import { type CompiledFlag, versionOnly } from "../meaning/compiled-flag.ts"
import type { FlagVersion, SegmentVersion } from "../meaning/flag-version.ts"
import { isSegmentPath, keyOfFile } from "../read/file-names.ts"
import { isSourcePath, pathFrom } from "../read/read.ts"
import { readBlobs } from "./blobs.ts"
import { compileOldSegment, readOldFlag, segmentVersion } from "./old-version.ts"
import type { Inside } from "./repository.ts"
import type { Revision } from "./timeline.ts"
import type { Commit, FileChange } from "./walk.ts"
import type { WorkTreeChanges } from "./work-tree.ts"

/** The meanings of versions that are in the history but no longer in the work tree. */
export interface OldVersions {
  readonly flags: ReadonlyByText<FlagVersion | "unreadable">
  readonly segments: ReadonlyByText<SegmentVersion | "unreadable">
}

/** By blob and by the key that the file's name gives, because a file's meaning depends on both. */
type ByText<T> = Map<string, Map<string, T>>
type ReadonlyByText<T> = ReadonlyMap<string, ReadonlyMap<string, T>>

function put<T>(all: ByText<T>, blob: string, key: string, item: T): void {
  const others = all.get(blob)
  if (others === undefined) all.set(blob, new Map([[key, item]]))
  else others.set(key, item)
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
  const wanted: ByText<string> = new Map()
  for (const { changes } of commits) {
    for (const [path, { after }] of changes) {
      if (after === undefined || workTree.committed.get(path) === after) continue
      if (!isSourcePath(path) || project.ignores(path)) continue
      put(wanted, after, keyOfFile(path), path)
    }
  }
  const flags: ByText<FlagVersion | "unreadable"> = new Map()
  const segments: ByText<SegmentVersion | "unreadable"> = new Map()
  const throwUnlessWanted = () => {
    if (!isWanted()) throw new Error("the old versions are no longer wanted")
  }
  throwUnlessWanted()
  await readBlobs(repository.git, repository.top, [...wanted.keys()], (blob, bytes) => {
    throwUnlessWanted()
    for (const [key, path] of wanted.get(blob) ?? []) {
      if (isSegmentPath(path)) {
        put(segments, blob, key, compileOldSegment(bytes, path))
        continue
      }
      const flag = readOldFlag(bytes, path, project)
      put(flags, blob, key, flag === undefined ? "unreadable" : versionOnly(flag))
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
  readonly flags: readonly CompiledFlag[]
  readonly segments: readonly LoneSegment[]
}

/** Combines the files of the work tree with the old versions. */
export function joinVersions(
  { flags, segments: defined }: Current,
  workTree: WorkTreeChanges,
  old: OldVersions,
  project: Project,
): Versions {
  const current = new Map(
    flags.map(({ source, version }) => [pathFrom(project.folder, source.path), version]),
  )
  const segments = new Map(
    defined.map((segment) => [pathFrom(project.folder, segment.source.path), segmentVersion(segment)]),
  )
  const isCurrent = (path: string, blob: string) => workTree.committed.get(path) === blob
  const flagAt = (path: string, blob: string) =>
    isCurrent(path, blob) ? current.get(path) : old.flags.get(blob)?.get(keyOfFile(path))
  const segmentAt = (path: string, blob: string) =>
    isCurrent(path, blob) ? segments.get(path) : old.segments.get(blob)?.get(keyOfFile(path))
  const committed = (all: ReadonlyMap<string, FileChange>) => {
    const revision = emptyRevision()
    for (const [path, { after }] of all) {
      if (!isSourcePath(path) || project.ignores(path)) continue
      if (isSegmentPath(path))
        revision.segments.set(path, after === undefined ? undefined : segmentAt(path, after))
      else revision.changes.set(path, after === undefined ? undefined : flagAt(path, after))
    }
    return revision
  }
  const uncommitted = emptyRevision()
  for (const path of workTree.uncommitted.filter(isSourcePath))
    if (isSegmentPath(path)) uncommitted.segments.set(path, segments.get(path))
    else uncommitted.changes.set(path, current.get(path))
  return { uncommitted, committed }
}

function emptyRevision() {
  return {
    changes: new Map<string, FlagVersion | "unreadable" | undefined>(),
    segments: new Map<string, SegmentVersion | "unreadable" | undefined>(),
  }
}
