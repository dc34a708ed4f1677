import type { Git } from "../../git.ts"
import type { Project } from "../project.ts"
import { isFlagPath, keyOfFile, pathFrom } from "../read.ts"
import type { ResolvedFlag } from "../resolve.ts"
import { readBlobs } from "./blobs.ts"
import type { Moment } from "./timeline.ts"
import { compileVersion, type Version, versionOf } from "./version.ts"
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
  flags: readonly ResolvedFlag[],
  workTree: WorkTree,
  project: Project,
): Promise<Versions> {
  const known = new Map<string, Version | "unreadable">()
  const uncommitted = new Map<string, Version | undefined>()
  for (const path of workTree.uncommitted) if (isFlagPath(path)) uncommitted.set(path, undefined)
  for (const flag of flags) {
    const path = pathFrom(project.folder, flag.source.path)
    const blob = workTree.committed.get(path)
    if (blob === undefined) uncommitted.set(path, versionOf(flag))
    else known.set(identity(blob, path), versionOf(flag))
  }
  const pathsByBlob = new Map<string, Map<string, string>>()
  for (const { changes } of commits) {
    for (const [path, { after }] of changes) {
      if (after === undefined || !isFlagPath(path) || known.has(identity(after, path))) continue
      const paths = pathsByBlob.get(after) ?? new Map()
      pathsByBlob.set(after, paths.set(keyOfFile(path), path))
    }
  }
  await readBlobs(git, top, [...pathsByBlob.keys()], (blob, bytes) => {
    for (const path of pathsByBlob.get(blob)?.values() ?? []) {
      known.set(identity(blob, path), compileVersion(bytes, path, project) ?? "unreadable")
    }
  })
  const meanings = ([path, { after }]: readonly [string, Change]) => {
    if (!isFlagPath(path)) return []
    return [[path, after === undefined ? undefined : known.get(identity(after, path))] as const]
  }
  return { uncommitted, committed: (changes) => new Map([...changes].flatMap(meanings)) }
}

/** What a version means depends on its text and, where that names no key, on the file's name. */
function identity(blob: string, path: string): string {
  return `${blob} ${keyOfFile(path)}`
}
