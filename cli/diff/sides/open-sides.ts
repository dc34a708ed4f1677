import { basename } from "node:path"
import {
  createReport,
  type Diagnostic,
  errorsIn,
  type Report,
  type SourceFile,
} from "../../diagnostics/diagnostic.ts"
import { mightName, nameIn } from "../../flag/might-name.ts"
import { keyOf, mayAskForFlags } from "../../flag/other-flags.ts"
import { withUsers } from "../../flag/resolve-segments.ts"
import type { Flag } from "../../language/flag.ts"
import type { ProjectFiles } from "../../project/files.ts"
import { type OpenProject, openProject, type ReadFiles, readFiles } from "../../project/open-project.ts"
import {
  isDataPath,
  isFlagSource,
  isInvariantsPath,
  isSegmentPath,
  keyOfFile,
  projectFileName,
  segmentNameOf,
} from "../../reading/files/file-names.ts"
import { createBrokenUse } from "./changed-segments.ts"
import type { Side } from "./side.ts"

/** A side as far as it has no errors: the flags of its other files, and the errors. */
export interface OpenSide extends Side {
  /** The flag files and segment files that are not ignored. */
  readonly sources: readonly SourceFile[]
  readonly errors: readonly Diagnostic[]
  /** Absolute paths of the files that an error is about. */
  readonly brokenFiles: ReadonlySet<string>
  /** The keys of their flags; for a file that cannot be read, the key from its name. */
  readonly brokenKeys: ReadonlySet<string>
}

/** Opens the files of one side. Throws `Failure` if a folder on disk has no project. */
export async function openSide(files: ProjectFiles): Promise<OpenSide> {
  const report = createReport()
  return toSide(await openProject(files, report), report)
}

/**
 * Opens what can differ between two sides: everything if the project file does, and otherwise the flag files whose texts or paths
 * differ, and those that depend on something that differs; with them the flags that invariants are about. Any other flag means the
 * same on both sides, so it is left out, and so are its mistakes.
 */
export async function openSides(
  before: ProjectFiles,
  after: ProjectFiles,
): Promise<{ readonly before: OpenSide; readonly after: OpenSide }> {
  const [reportBefore, reportAfter] = [createReport(), createReport()]
  const [base, head] = [readFiles(before, reportBefore), readFiles(after, reportAfter)]
  const mayDiffer = createMayDiffer(base, head)
  return {
    before: toSide(await openProject(base, reportBefore, mayDiffer), reportBefore),
    after: toSide(await openProject(head, reportAfter, mayDiffer), reportAfter),
  }
}

/** Whether a flag file of either side may mean something else on the other. */
function createMayDiffer(before: ReadFiles, after: ReadFiles): (source: SourceFile) => boolean {
  if (!isSameProject(before, after)) return () => true
  const [textsBefore, textsAfter] = [textsOf(before), textsOf(after)]
  const isEdited = ({ path }: SourceFile) => textsBefore.get(path) !== textsAfter.get(path)
  const sources = [...before.sources, ...after.sources]
  const named = sources.filter(({ path }) => isSegmentPath(path) || isDataPath(path))
  const segments = named.flatMap(({ path, text }) =>
    isSegmentPath(path) ? [[segmentNameOf(path), text] as const] : [],
  )
  const edited = withUsers(
    new Set(named.filter(isEdited).map(({ path }) => nameIn(path))),
    segments,
    mightName,
  )
  const guarding = sources.filter(({ path }) => isInvariantsPath(path))
  const isGuarded = (source: SourceFile) => {
    const names = new Set(guarding.length === 0 ? [] : [keyOf(source)])
    return guarding.some(({ text }) => mightName(text, names))
  }
  const mayDiffer = (source: SourceFile) =>
    isEdited(source) || mightName(source.text, edited) || isGuarded(source) || mayAskForFlags(source)
  const flags = sources.filter(({ path }) => isFlagSource(path))
  const known = new Set(flags.filter(mayDiffer))
  return (source) => known.has(source)
}

function textsOf({ sources }: ReadFiles): ReadonlyMap<string, string> {
  return new Map(sources.map(({ path, text }) => [path, text]))
}

/** Whether both sides have the same project file, without mistakes: any edit may change what a flag means, or break it. */
function isSameProject({ settings: base }: ReadFiles, { settings: head }: ReadFiles): boolean {
  if (!base?.isWhole || !head?.isWhole) return false
  return base.project.source.text === head.project.source.text
}

function toSide(
  { project, sources, flags, segments, defined, invariants }: OpenProject,
  report: Report,
): OpenSide {
  const errors = errorsIn(report.diagnostics)
  const brokenFiles = new Set(errors.flatMap(sourcesOf).map(({ path }) => path))
  const usesBroken = createBrokenUse({ defined, segments }, brokenFiles)
  const isBroken = (flag: Flag) => brokenFiles.has(flag.source.path) || usesBroken(flag)
  const named = new Set(flags.map(({ source }) => source.path))
  const unnamed =
    project && [...brokenFiles].filter((path) => !named.has(path) && isFlagFile(path)).map(keyOfFile)
  return {
    ...{ project, sources, segments, invariants, errors, brokenFiles },
    flags: flags.filter((flag) => !isBroken(flag)),
    brokenKeys: new Set([...flags.filter(isBroken).map(({ key }) => key), ...(unnamed ?? [])]),
  }
}

/** The files that a diagnostic is about. */
function sourcesOf({ location, related }: Diagnostic): readonly SourceFile[] {
  return [location, ...related.map((another) => another.location)].map(({ source }) => source)
}

function isFlagFile(path: string): boolean {
  return basename(path) !== projectFileName && isFlagSource(path)
}
