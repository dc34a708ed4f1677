import type { WrittenFlag } from "../meaning/compiled-flag.ts"
import type { ResolvedFlag } from "../meaning/resolve.ts"
import type { FolderHistory } from "./folders.ts"

/** Who else makes something of what the history is read from. It is told while that is at hand: a build keeps no trees. */
export interface HistoryOnlooker {
  /** Of the commits that the build replays. */
  readonly onWalk: (history: FolderHistory) => void
  /** Of a version that is in those commits and no longer in the work tree, by `identityOf`. */
  readonly onOldVersion: (identity: string, flag: ResolvedFlag, written: WrittenFlag) => void
  /** Of one that nobody can read. */
  readonly onUnreadable: (identity: string) => void
}
