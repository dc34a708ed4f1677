import type { WrittenFlag } from "../meaning/compiled-flag.ts"
import type { ResolvedFlag } from "../meaning/resolve.ts"
import type { FolderHistory } from "./folders.ts"

/** An onlooker of the history. It is told of a version while the version's tree is there: no trees are kept. */
export interface HistoryOnlooker {
  /** Told of the commits that are replayed. */
  readonly onWalk: (history: FolderHistory) => void
  /**
   * Told of each version, by `identityOf`, that is in those commits and no longer in the work tree. `undefined`: nobody can
   * read it.
   */
  readonly onOldVersion: (identity: string, version: ReadVersion | undefined) => void
}

/** A version of a flag, with its tree. */
export interface ReadVersion {
  readonly flag: ResolvedFlag
  readonly written: WrittenFlag
}
