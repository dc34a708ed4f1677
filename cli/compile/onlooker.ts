import type { FlagFile } from "./definition/flag-file.ts"
import type { Project } from "./definition/project.ts"
import type { HistoryOnlooker } from "./history/history-onlooker.ts"
import type { Repository } from "./history/repository.ts"
import type { FlagTimes } from "./history/timeline.ts"
import type { CompiledFlag, WrittenFlag } from "./meaning/compiled-flag.ts"
import type { ResolvedFlag } from "./meaning/resolve.ts"

/**
 * Makes something else of what a build reads, so that nothing is read twice. It is not told of what the build takes from
 * its cache.
 */
export interface Onlooker extends HistoryOnlooker {
  /** Told of the flag files and segment files, before any is parsed. */
  readonly onFiles: (project: Project, repository: Repository, files: readonly FlagFile[]) => void
  /** Told of each flag that is compiled from its text. */
  readonly onFlag: (file: FlagFile, flag: ResolvedFlag, written: WrittenFlag) => void
  /** Told of all flags, once it is certain that there are no errors. */
  readonly onCompiled: (flags: readonly CompiledFlag[], times: ReadonlyMap<string, FlagTimes>) => void
}
