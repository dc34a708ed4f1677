import type { Git } from "../../git.ts"
import type { MemoryFolder } from "../cache/cache-folder.ts"
import { blobId } from "../definition/blob-id.ts"
import type { Project } from "../definition/project.ts"
import type { FlagFile } from "../definition/read.ts"
import { type Walked, walkFolder } from "./folders.ts"
import type { Inside, Outside, Repository } from "./repository.ts"
import { type OldVersions, readOldVersions } from "./versions.ts"
import { filesAfter } from "./walk.ts"
import { compareWorkTree, type WorkTree } from "./work-tree.ts"

/** All that git has of the flags folder: what the times are found from, but for the flags as they are now. */
export interface Past extends Walked {
  readonly kind: "inside"
  readonly repository: Inside
  /** All that lies below the folder in the newest commit: the blob by path. */
  readonly files: ReadonlyMap<string, string>
  readonly workTree: WorkTree
  readonly oldVersions: OldVersions
}

/**
 * Reads it, while others may compile the flag files; outside git there is nothing to read. Old versions can be many and
 * large, and in a partial clone they come over the network: as soon as nobody wants them any more, it throws.
 */
export async function readPast(
  flagFiles: readonly FlagFile[],
  project: Project,
  repository: Repository,
  git: Git,
  memory: MemoryFolder,
  isWanted: () => boolean,
): Promise<Past | Outside> {
  if (repository.kind === "outside") return repository
  const { top, hash } = repository
  const { from, commits } = await walkFolder(git, repository, memory)
  const files = filesAfter(commits, from.files)
  const projectFile = { source: project.source, blob: blobId(project.source.text, hash) }
  const workTree = compareWorkTree([projectFile, ...flagFiles], project.folder, files, hash)
  const oldVersions = await readOldVersions(git, top, commits, workTree, project, isWanted)
  return { kind: "inside", repository, from, commits, files, workTree, oldVersions }
}
