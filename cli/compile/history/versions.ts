import type { Git } from "../../git.ts"
import { identityOf } from "../cache/flag-cache.ts"
import type { Project } from "../definition/project.ts"
import { isFlagPath, keyOfFile, pathFrom } from "../definition/read.ts"
import type { CompiledFlag, Version } from "../meaning/compiled-flag.ts"
import { readBlobs } from "./blobs.ts"
import { compileOldVersion } from "./old-version.ts"
import type { Moment } from "./timeline.ts"
import type { Change, Commit } from "./walk.ts"
import type { WorkTree } from "./work-tree.ts"

/** By `identityOf`: the meanings of what lies in history and no longer in the work tree. */
export type OldVersions = ReadonlyMap<string, Version | "unreadable">

/**
 * Compiles every version once that commits brought; those that lie in the work tree are compiled there. Throws as soon
 * as they are not wanted any more.
 */
export async function readOldVersions(
  git: Git,
  top: string,
  commits: readonly Commit[],
  workTree: WorkTree,
  project: Project,
  isWanted: () => boolean,
): Promise<OldVersions> {
  const pathsByBlob = new Map<string, Map<string, string>>()
  for (const { changes } of commits) {
    for (const [path, { after }] of changes) {
      if (after === undefined || !isFlagPath(path) || workTree.committed.get(path) === after) continue
      const paths = pathsByBlob.get(after) ?? new Map()
      pathsByBlob.set(after, paths.set(keyOfFile(path), path))
    }
  }
  const versions = new Map<string, Version | "unreadable">()
  const goOn = () => {
    if (!isWanted()) throw new Error("the old versions are not wanted any more")
  }
  goOn()
  await readBlobs(git, top, [...pathsByBlob.keys()], (blob, bytes) => {
    goOn()
    for (const path of pathsByBlob.get(blob)?.values() ?? []) {
      versions.set(identityOf(blob, path), compileOldVersion(bytes, path, project))
    }
  })
  return versions
}

/** The meanings of all that the flags ever were. */
export interface Versions {
  /** What a commit's changes of files mean; what is no flag file is left out. */
  readonly committed: (changes: ReadonlyMap<string, Change>) => Moment["changes"]
  /** What was changed since the newest commit. */
  readonly uncommitted: Moment["changes"]
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
  const committed = (changes: ReadonlyMap<string, Change>) => {
    const versions = new Map<string, Version | "unreadable" | undefined>()
    for (const [path, { after }] of changes) {
      if (isFlagPath(path)) versions.set(path, after === undefined ? undefined : versionOf(path, after))
    }
    return versions
  }
  return { uncommitted, committed }
}
