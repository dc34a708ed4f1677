import type { WrittenFlag } from "../meaning/compiled-flag.ts"
import type { ResolvedFlag } from "../meaning/resolve.ts"
import type { FolderHistory } from "./folders.ts"

/** An onlooker of the history. It is told of a version while the version's tree is there: a build keeps no trees. */
export interface HistoryOnlooker {
  /** Told of the commits that the build replays. */
  readonly onWalk: (history: FolderHistory) => void
  /** Told of each version, by `identityOf`, that is in those commits and no longer in the work tree. */
  readonly onOldVersion: (identity: string, flag: ResolvedFlag, written: WrittenFlag) => void
  /** Told of each of them that nobody can read. */
  readonly onUnreadable: (identity: string) => void
}
