import type { Report } from "../diagnostics/diagnostic.ts"
import type { Project } from "../reading/project.ts"

/** The user's options for the times. */
export interface HistoryOptions {
  /** A shallow clone gives a warning instead of an error. */
  readonly allowShallow: boolean
  /** Uncommitted changes give an error instead of a warning. */
  readonly requireClean: boolean
  /** `SOURCE_DATE_EPOCH`, in seconds: the time of everything outside git; `undefined`: the files' mtimes. */
  readonly sourceDateEpoch: number | undefined
}

/** What the replay needs besides the flags and git. */
export interface HistoryContext {
  readonly project: Project
  readonly report: Report
  readonly options: HistoryOptions
  /** Outside git: when each file was modified, by path, in milliseconds since 1970. */
  readonly modifiedAt: ReadonlyMap<string, number>
}
