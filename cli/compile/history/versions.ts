import type { Git } from "../../git.ts"
import type { CompiledFlag, Version } from "../compiled-flag.ts"
import { identityOf } from "../memory.ts"
import type { Project } from "../project.ts"
import { isFlagPath, keyOfFile, pathFrom } from "../read.ts"
import { readBlobs } from "./blobs.ts"
import { compileOldVersion } from "./old-version.ts"
import type { Moment } from "./timeline.ts"
import type { Change, Commit } from "./walk.ts"
import type { WorkTree } from "./work-tree.ts"

/** The meanings of all that the flags ever were. */
export interface Versions {
  /** What a commit's changes of files mean; what is no flag file is left out. */
  readonly committed: (changes: ReadonlyMap<string, Change>) => Moment["changes"]
  /** What was changed since the newest commit. */
  readonly uncommitted: Moment["changes"]
}

/** Compiles every version once: those that lie in the work tree are compiled already, the others come from git. */
export async function readVersions(
  git: Git,
  top: string,
  commits: readonly Commit[],
  flags: readonly CompiledFlag[],
  workTree: WorkTree,
  project: Project,
): Promise<Versions> {
  const known = new Map<string, Version | "unreadable">()
  const uncommitted = new Map<string, Version | undefined>()
  for (const path of workTree.uncommitted) if (isFlagPath(path)) uncommitted.set(path, undefined)
  for (const flag of flags) {
    const path = pathFrom(project.folder, flag.source.path)
    const blob = workTree.committed.get(path)
    if (blob === undefined) uncommitted.set(path, flag.version)
    else known.set(identityOf(blob, path), flag.version)
  }
  const pathsByBlob = new Map<string, Map<string, string>>()
  for (const { changes } of commits) {
    for (const [path, { after }] of changes) {
      if (after === undefined || !isFlagPath(path)) continue
      if (known.has(identityOf(after, path))) continue
      const paths = pathsByBlob.get(after) ?? new Map()
      pathsByBlob.set(after, paths.set(keyOfFile(path), path))
    }
  }
  await readBlobs(git, top, [...pathsByBlob.keys()], (blob, bytes) => {
    for (const path of pathsByBlob.get(blob)?.values() ?? []) {
      known.set(identityOf(blob, path), compileOldVersion(bytes, path, project))
    }
  })
  const meanings = ([path, { after }]: readonly [string, Change]) => {
    if (!isFlagPath(path)) return []
    return [[path, after === undefined ? undefined : known.get(identityOf(after, path))] as const]
  }
  return { uncommitted, committed: (changes) => new Map([...changes].flatMap(meanings)) }
}
