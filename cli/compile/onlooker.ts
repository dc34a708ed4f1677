import type { HistoryOnlooker } from "./history/history-onlooker.ts"
import type { WrittenFlag } from "./meaning/compiled-flag.ts"
import type { ResolvedFlag } from "./meaning/resolve.ts"
import type { FlagFile } from "./read/flag-file.ts"

/** Makes something else of files while they are compiled, so that nothing is read twice. It is not told of what the cache knows. */
export interface Onlooker extends HistoryOnlooker {
  /** Told of each flag that is compiled from its text. */
  readonly onFlag: (file: FlagFile, flag: ResolvedFlag, written: WrittenFlag) => void
}
