import { noCheckpoint } from "../../compile/history/checkpoint.ts"
import { type FolderHistory, walkFolder } from "../../compile/history/folders.ts"
import type { Inside } from "../../compile/history/repository.ts"
import type { Commit } from "../../compile/history/walk.ts"
import type { Remembered } from "./remembered-history.ts"

/** The commits that an earlier run has not described, and the history that it has. */
export interface WalkedHistory {
  /** `undefined`: all commits are to be described. */
  readonly earlier: Remembered | undefined
  /** Oldest first. */
  readonly commits: readonly Commit[]
}

/** Asks git for the commits, unless compiling has just done so. */
export async function walkHistory(
  repository: Inside,
  known: Remembered | undefined,
  replayed: FolderHistory | undefined,
): Promise<WalkedHistory> {
  return amongReplayed(known, replayed) ?? walk(repository, known)
}

/** Of the commits that were replayed, those still to be described; `undefined` where they are not all there. */
function amongReplayed(
  known: Remembered | undefined,
  replayed: FolderHistory | undefined,
): WalkedHistory | undefined {
  if (replayed === undefined) return undefined
  const { from, commits } = replayed
  if (known === undefined) return from === noCheckpoint ? { earlier: undefined, commits } : undefined
  if (from.revision === undefined) return undefined // the folder may have been moved since
  const last = commits.findIndex(({ id }) => id === known.revision)
  if (last === -1 && from.revision !== known.revision) return undefined
  return { earlier: known, commits: last === -1 ? commits : commits.slice(last + 1) }
}

async function walk(repository: Inside, known: Remembered | undefined): Promise<WalkedHistory> {
  const checkpoint = { ...noCheckpoint, revision: known?.revision }
  const { from, commits } = await walkFolder(repository, checkpoint)
  return { earlier: from === checkpoint ? known : undefined, commits }
}
