import type { Project } from "../definition/project.ts"
import { isFlagPath, keyOfFile, pathFrom } from "../definition/read.ts"
import { type CompiledFlag, identityOf, type Version } from "../meaning/compiled-flag.ts"
import { readBlobs } from "./blobs.ts"
import { compileOldVersion } from "./old-version.ts"
import type { Inside } from "./repository.ts"
import type { Revision } from "./timeline.ts"
import type { Commit, FileChange } from "./walk.ts"
import type { WorkTree } from "./work-tree.ts"

/** By `identityOf`: what the versions mean that are in the history and no longer in the work tree. */
export type OldVersions = ReadonlyMap<string, Version | "unreadable">

/**
 * Compiles once each version that a commit added; those that are still in the work tree are compiled there. Throws as
 * soon as they are not wanted any more.
 */
export async function readOldVersions(
  commits: readonly Commit[],
  workTree: WorkTree,
  { repository, project, isWanted }: OldVersionsRequest,
): Promise<OldVersions> {
  const pathsByBlob = new Map<string, Map<string, string>>()
  for (const { changes } of commits) {
    for (const [path, { after }] of changes) {
      if (after === undefined || workTree.committed.get(path) === after || !isFlagPath(path)) continue
      const paths = pathsByBlob.get(after) ?? new Map()
      pathsByBlob.set(after, paths.set(keyOfFile(path), path))
    }
  }
  const versions = new Map<string, Version | "unreadable">()
  const throwUnlessWanted = () => {
    if (!isWanted()) throw new Error("the old versions are not wanted any more")
  }
  throwUnlessWanted()
  await readBlobs(repository.git, repository.top, [...pathsByBlob.keys()], (blob, bytes) => {
    throwUnlessWanted()
    for (const path of pathsByBlob.get(blob)?.values() ?? []) {
      versions.set(identityOf(blob, path), compileOldVersion(bytes, path, project))
    }
  })
  return versions
}

interface OldVersionsRequest {
  readonly repository: Inside
  readonly project: Project
  readonly isWanted: () => boolean
}

/** What all versions of the flag files mean. */
export interface Versions {
  /** What a commit's changes of flag files mean. */
  readonly committed: (changes: ReadonlyMap<string, FileChange>) => Revision["changes"]
  /** What was changed since the newest commit. */
  readonly uncommitted: Revision["changes"]
}

/** Puts the flags of the work tree and the old versions together. */
export function joinVersions(
  flags: readonly CompiledFlag[],
  workTree: WorkTree,
  old: OldVersions,
  project: Project,
): Versions {
  const current = new Map(
    flags.map(({ source, version }) => [pathFrom(project.folder, source.path), version]),
  )
  const paths = workTree.uncommitted.filter(isFlagPath)
  const uncommitted = new Map(paths.map((path) => [path, current.get(path)]))
  const versionOf = (path: string, blob: string) =>
    workTree.committed.get(path) === blob ? current.get(path) : old.get(identityOf(blob, path))
  const committed = (changes: ReadonlyMap<string, FileChange>) => {
    const versions = new Map<string, Version | "unreadable" | undefined>()
    for (const [path, { after }] of changes) {
      if (isFlagPath(path)) versions.set(path, after === undefined ? undefined : versionOf(path, after))
    }
    return versions
  }
  return { uncommitted, committed }
}
