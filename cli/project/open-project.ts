import { type CheckedFiles, checkFiles, type IsWanted } from "../checks/check-files.ts"
import type { Code } from "../diagnostics/codes.ts"
import { filterReport, type Report, type SourceFile } from "../diagnostics/diagnostic.ts"
import { resolveSegments } from "../flag/resolve-segments.ts"
import { type Project, parseSettings, type ReadSettings } from "../reading/project.ts"
import type { ProjectFiles } from "./files.ts"

/** A project as far as its files can be read; what is wrong with them is in the report. */
export interface OpenProject extends CheckedFiles {
  /**
   * `undefined` if there is no project file, or if it has mistakes. Then the files have been checked as far as its other
   * members allow, and there are no flags and no segments.
   */
  readonly project: Project | undefined
  /** The flag files, segment files and invariants files that are not ignored, sorted by path. */
  readonly sources: readonly SourceFile[]
}

/** An open project whose project file has no mistakes. */
export interface Opened extends OpenProject {
  readonly project: Project
}

/** Called from time to time with the number of flag files checked so far, and the total. */
export type OnProgress = (done: number, all: number) => void

/** The files of a project, read but not checked. */
export interface ReadFiles {
  /** `undefined` if there is no project file, or if it is not known which files it ignores. */
  readonly settings: ReadSettings | undefined
  /** The flag files, segment files and invariants files that are not ignored, sorted by path. */
  readonly sources: readonly SourceFile[]
}

/** The first half of `openProject`, for callers that look at the files before they open some of them. */
export function readFiles(files: ProjectFiles, report: Report): ReadFiles {
  const source = files.projectFile(report)
  const settings = source && parseSettings(source, files.folder, report)
  // If it is not known which files are ignored, any of them may be something else than a flag.
  if (settings === undefined || settings.broken.has("ignore")) return { settings: undefined, sources: [] }
  return { settings, sources: files.sources(settings.project.ignores, report) }
}

/**
 * Reads and checks the files of a project: the only way from files to flags. Reports every mistake. Times, which only git
 * knows, are not part of a flag. The flags of files that are not wanted are neither checked nor returned. Throws `Failure` if
 * a folder on disk has no project.
 */
export async function openProject(
  files: ProjectFiles | ReadFiles,
  report: Report,
  isWanted?: IsWanted,
): Promise<OpenProject> {
  const { settings, sources } = "projectFile" in files ? readFiles(files, report) : files
  if (settings === undefined) return noProject
  if (settings.isWhole) return openSources(settings.project, sources, report, { isWanted })
  await openSources(settings.project, sources, withoutFollowUps(report, settings), { isWanted })
  return { ...noProject, sources }
}

/** What must not be reported about a flag while the member of the project file that would allow it has mistakes. */
const followUps: ReadonlyMap<Code, string> = new Map([
  ["unknown-environment", "environments"],
  ["unknown-operator", "operators"],
])

function withoutFollowUps(report: Report, { broken }: ReadSettings): Report {
  return filterReport(report, ({ code }) => !broken.has(followUps.get(code) ?? ""))
}

const noProject: OpenProject = {
  project: undefined,
  sources: [],
  flags: [],
  segments: resolveSegments(new Map()),
  defined: [],
  invariants: [],
  isWhole: false,
}

/** What can be asked of `openSources`. */
export interface OpenOptions {
  readonly onProgress?: OnProgress | undefined
  /** Which flag files to open; all by default. */
  readonly isWanted?: IsWanted | undefined
}

/** The same for files of a known project. */
export async function openSources(
  project: Project,
  sources: readonly SourceFile[],
  report: Report,
  { onProgress, isWanted }: OpenOptions = {},
): Promise<Opened> {
  const checking = checkFiles(sources, project, report, isWanted)
  for (let step = checking.next(); ; step = checking.next()) {
    if (step.done) return { project, sources, ...step.value }
    const [done, all] = step.value
    if (done % stride === 0) {
      onProgress?.(done, all)
      await new Promise(setImmediate) // lets git's output be read
    }
  }
}

const stride = 50
