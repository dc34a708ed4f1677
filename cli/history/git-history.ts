import { blobId } from "../reading/files/blob-id.ts"
import { projectFileName } from "../reading/files/file-names.ts"
import type { FlagFile } from "../reading/files/flag-file.ts"
import { isSourcePath } from "../reading/files/read.ts"
import type { Project } from "../reading/project.ts"
import { walkFolder } from "./folders.ts"
import { type Checkpoint, noCheckpoint } from "./history-cache.ts"
import type { Inside, Outside, Repository } from "./repository.ts"
import { type OldVersions, readOldVersions } from "./versions.ts"
import { type Commit, type FileChange, filesAfter } from "./walk.ts"
import { compareWorkTree, type WorkTreeChanges } from "./work-tree.ts"

/**
 * Everything that git knows about the flags folder. `failed`: git could not be read. The replay throws that error, so that
 * the authors' mistakes, which are found at the same time, are reported first.
 */
export type GitHistory = Outside | Read | { readonly kind: "failed"; readonly error: unknown }

interface Read {
  readonly kind: "read"
  readonly from: Checkpoint
  /** The commits after `from`, oldest first, with the changes that `ofProject` keeps. */
  readonly commits: readonly Commit[]
  readonly repository: Inside
  /** The blobs of the newest commit's project file and of its sources that are not ignored, by path. */
  readonly files: ReadonlyMap<string, string>
  readonly workTree: WorkTreeChanges
  readonly oldVersions: OldVersions
}

/** What to read from git. */
export interface GitHistoryRequest {
  readonly repository: Repository
  readonly project: Project
  /** The flag files and segment files of the work tree. */
  readonly files: readonly FlagFile[]
  readonly from: Checkpoint
  /**
   * Whether the build can still succeed. Old versions can be many and large, and a partial clone gets them over the
   * network, so reading stops once they are no longer wanted.
   */
  readonly isWanted: () => boolean
}

/** Runs while the flag files are compiled, because it mostly waits for git. */
export async function readGitHistory({ repository, ...request }: GitHistoryRequest): Promise<GitHistory> {
  if (repository.kind === "outside") return repository
  try {
    return await readInside({ repository, ...request })
  } catch (error) {
    return { kind: "failed", error }
  }
}

async function readInside(request: GitHistoryRequest & { readonly repository: Inside }): Promise<Read> {
  const { repository, project, files: flagFiles } = request
  const walked = await walkFolder(repository, request.from.revision)
  const commits = walked.commits.map((commit) => ({ ...commit, changes: ofProject(commit.changes, project) }))
  const from = walked.isRest ? request.from : noCheckpoint
  const files = filesAfter(commits, from.files)
  const projectFile = { source: project.source, blob: blobId(project.source.text, repository.hash) }
  const workTree = compareWorkTree([projectFile, ...flagFiles], project.folder, files, repository.hash)
  const oldVersions = await readOldVersions(commits, workTree, request)
  return { kind: "read", repository, from, commits, files, workTree, oldVersions }
}

/** The changes of the project file, and of flag files and segment files that it does not ignore. */
export function ofProject(
  changes: Commit["changes"],
  { ignores }: Pick<Project, "ignores">,
): Commit["changes"] {
  const kept = new Map<string, FileChange>()
  for (const [path, change] of changes)
    if (path === projectFileName || (isSourcePath(path) && !ignores(path))) kept.set(path, change)
  return kept
}
