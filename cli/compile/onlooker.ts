import type { FlagFile } from "./definition/flag-file.ts"
import type { Project } from "./definition/project.ts"
import type { HistoryOnlooker } from "./history/history-onlooker.ts"
import type { Repository } from "./history/repository.ts"
import type { FlagTimes } from "./history/timeline.ts"
import type { CompiledFlag, WrittenFlag } from "./meaning/compiled-flag.ts"
import type { ResolvedFlag } from "./meaning/resolve.ts"

/**
 * Who else makes something of what a build reads, so that nothing is read twice. What a build knows from its cache it does
 * not read, and tells nobody.
 */
export interface Onlooker extends HistoryOnlooker {
  /** Of the flag files and segment files, before any is parsed. */
  readonly onFiles: (project: Project, repository: Repository, files: readonly FlagFile[]) => void
  /** Of each flag that is compiled from its text. */
  readonly onFlag: (file: FlagFile, flag: ResolvedFlag, written: WrittenFlag) => void
  /** Of all flags, once there are no errors. */
  readonly onCompiled: (flags: readonly CompiledFlag[], times: ReadonlyMap<string, FlagTimes>) => void
}
