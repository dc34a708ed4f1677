import { noCheckpoint } from "../../compile/history/checkpoint.ts"
import { type FolderHistory, walkFolder } from "../../compile/history/folders.ts"
import type { Inside } from "../../compile/history/repository.ts"
import type { Commit } from "../../compile/history/walk.ts"
import { readAuthors } from "./read-authors.ts"
import type { Remembered } from "./remembered-history.ts"

/** The commits that an earlier run has not said, and what it has. */
export interface WalkedHistory {
  /** `undefined`: all commits are to be said. */
  readonly earlier: Remembered | undefined
  /** Oldest first. */
  readonly commits: readonly Commit[]
  /** By id. */
  readonly authors: ReadonlyMap<string, string>
}

/** Asks git for the commits, unless a build has just asked for all of them, and for their authors. */
export async function walkHistory(
  repository: Inside,
  known: Remembered | undefined,
  ofBuild: FolderHistory | undefined,
): Promise<WalkedHistory> {
  const checkpoint = { ...noCheckpoint, revision: known?.revision }
  const isWhole = known === undefined && ofBuild?.from === noCheckpoint
  const { from, commits } = isWhole ? ofBuild : await walkFolder(repository, checkpoint)
  const authors = await readAuthors(
    repository,
    commits.map(({ id }) => id),
  )
  return { earlier: from === checkpoint ? known : undefined, commits, authors }
}
