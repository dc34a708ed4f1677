import { documentsAreBounded } from "../checks/documents-are-bounded.ts"
import type { Report } from "../diagnostics/diagnostic.ts"
import { readGitHistory } from "../history/git-history.ts"
import { type History, type OnStep, replayHistory } from "../history/history.ts"
import { type HistoryCache, noCheckpoint } from "../history/history-cache.ts"
import type { HistoryOptions } from "../history/history-context.ts"
import { invariantsHold } from "../invariants/invariants-hold.ts"
import { isInvariantsPath } from "../reading/files/file-names.ts"
import { assemble } from "./assemble.ts"
import type { Build } from "./build.ts"
import type { Input } from "./input.ts"
import { type OnProgress, type Opened, openSources } from "./open-project.ts"

/** A build's options. */
export interface CompileOptions extends HistoryOptions {
  /** What earlier builds have replayed; absent: this build replays everything. */
  readonly cache?: HistoryCache | undefined
  readonly onProgress?: OnProgress
}

/** A project without errors, and when its flags changed. */
export interface DatedProject extends Opened {
  readonly history: History
}

/**
 * Compiles a project that has been read (`input.ts`) into its snapshots and manifest; `undefined` if the report has
 * errors. With reading, these are four stages: read, open, replay the history, assemble. Nothing is written into the
 * output folder.
 */
export async function compile(
  input: Input,
  report: Report,
  options: CompileOptions,
): Promise<Build | undefined> {
  const dated = await dateProject(input, report, options)
  return dated && assemble(dated)
}

/** The stages between the first and the last; `undefined` if the report has errors. Then no step is passed on. */
export async function dateProject(
  { project, repository, files, modifiedAt }: Input,
  report: Report,
  options: CompileOptions,
  onStep?: OnStep,
): Promise<DatedProject | undefined> {
  const sources = files.map(({ source }) => source)
  const dated = files.filter(({ source }) => !isInvariantsPath(source.path))
  /** Once there are mistakes, git need not be read to its end, and its own failures no longer matter. */
  const isWanted = () => !report.hasErrors
  const from = options.cache?.get(project, repository) ?? noCheckpoint
  const [gitHistory, opened] = await Promise.all([
    readGitHistory({ repository, project, files: dated, from, isWanted }),
    openSources(project, sources, report, { onProgress: options.onProgress }),
  ])
  if (!report.hasErrors) documentsAreBounded(opened.flags, project, report)
  if (!report.hasErrors) invariantsHold(opened, report)
  if (report.hasErrors) return undefined

  const history = replayHistory(opened, gitHistory, { project, report, options, modifiedAt }, onStep)
  if (report.hasErrors) return undefined
  if (history.checkpoint !== undefined) options.cache?.put(project, history.checkpoint)
  return { ...opened, history }
}
