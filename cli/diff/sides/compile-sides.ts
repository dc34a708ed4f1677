import { basename } from "node:path"
import { checkFlagFiles } from "../../compile/checks/check-files.ts"
import { type CheckedSegments, checkSegmentFiles } from "../../compile/checks/check-segment-files.ts"
import type { Definition } from "../../compile/definition/definition.ts"
import { isSegmentPath, projectFileName } from "../../compile/definition/file-names.ts"
import { type Project, parseProject } from "../../compile/definition/project.ts"
import { keyOfFile } from "../../compile/definition/read.ts"
import { sameValue } from "../../compile/meaning/canonical-json.ts"
import { expandSegments } from "../../compile/meaning/expand-segments.ts"
import { resolveFlag } from "../../compile/meaning/resolve.ts"
import { createReport, type Diagnostic, type Report, type SourceFile } from "../../diagnostics/diagnostic.ts"
import type { Tree } from "../revisions/tree.ts"
import { changedSegments, createBrokenUse, readUsers } from "./changed-segments.ts"
import type { Side } from "./pair-flags.ts"

/** A compiled side: the flags of its files that have no error, and the errors of the others. */
export interface CompiledSide {
  readonly side: Side
  readonly segments: CheckedSegments
  readonly errors: readonly Diagnostic[]
  /** Absolute paths of the files that an error is about. */
  readonly brokenFiles: ReadonlySet<string>
  /** The keys of their flags; of a file that cannot be read, the one that its name gives. */
  readonly brokenKeys: ReadonlySet<string>
}

/**
 * Compiles what can differ between two trees: the files whose contents or paths differ, and those that use a segment that
 * differs. The meaning of a flag follows from its own file, the segments that it uses and the project file alone, so any
 * other file that both sides have means the same on both; it is read only if a changed file's key or id might collide
 * with its own. If the project files differ in more than their protected environments, everything is compiled.
 */
export async function compileSides(
  before: Tree,
  after: Tree,
  folder: string,
): Promise<{ readonly before: CompiledSide; readonly after: CompiledSide }> {
  const [reportBefore, reportAfter] = [createReport(), createReport()]
  const projectBefore = await readProjectOf(before, folder, reportBefore)
  const projectAfter = await readProjectOf(after, folder, reportAfter)
  const segmentsBefore = await readSegments(before, projectBefore, reportBefore)
  const segmentsAfter = await readSegments(after, projectAfter, reportAfter)
  const isSame = (path: string) => before.files.get(path) === after.files.get(path)
  const changed = changedSegments(segmentsBefore, segmentsAfter)
  const users = await readUsers(after, flagPaths(after, projectAfter).filter(isSame), changed, folder)
  const isShared = sameProject(projectBefore, projectAfter)
    ? (path: string) => isSame(path) && !users.has(path)
    : () => false
  const sideBefore = await readSide(before, projectBefore, segmentsBefore, isShared, reportBefore)
  const sideAfter = await readSide(after, projectAfter, segmentsAfter, isShared, reportAfter)
  const shared = flagPaths(after, projectAfter).filter(isShared)
  const names = namesOnOneSide(sideBefore.definitions, sideAfter.definitions)
  const neighbours = await readNeighbours(after, shared, names)
  return { before: finish(sideBefore, neighbours), after: finish(sideAfter, neighbours) }
}

/** The files of one side that the other side does not share. */
interface ReadSide {
  readonly project: Project | undefined
  readonly segments: CheckedSegments
  readonly sources: readonly SourceFile[]
  readonly definitions: readonly Definition[]
  readonly report: Report
}

async function readSide(
  tree: Tree,
  project: Project | undefined,
  segments: CheckedSegments,
  isShared: (path: string) => boolean,
  report: Report,
): Promise<ReadSide> {
  if (project === undefined) return { project, segments, sources: [], definitions: [], report }
  const paths = flagPaths(tree, project).filter((path) => !isShared(path))
  const sources = await tree.read(paths, report)
  const definitions = checkFlagFiles(sources, project, segments.segments, report)
  return { project, segments, sources, definitions, report }
}

async function readSegments(
  tree: Tree,
  project: Project | undefined,
  report: Report,
): Promise<CheckedSegments> {
  const paths = [...tree.files.keys()].filter(
    (path) => isSegmentPath(path) && project?.ignores(path) !== true,
  )
  if (project === undefined || paths.length === 0) return { defined: [], segments: expandSegments(new Map()) }
  return checkSegmentFiles(await tree.read(paths, report), project, report)
}

/** The flag files of a side, without those that its project ignores. */
function flagPaths(tree: Tree, project: Project | undefined): readonly string[] {
  return [...tree.files.keys()].filter(
    (path) => path !== projectFileName && !isSegmentPath(path) && project?.ignores(path) !== true,
  )
}

async function readProjectOf(tree: Tree, folder: string, report: Report): Promise<Project | undefined> {
  if (!tree.files.has(projectFileName)) return undefined
  const [source] = await tree.read([projectFileName], report)
  return source && parseProject(source, folder, report)
}

/** Whether a flag file means the same in both projects. */
function sameProject(a: Project | undefined, b: Project | undefined): boolean {
  const meaning = (project: Project | undefined) =>
    project === undefined
      ? null
      : [
          project.name,
          project.id,
          project.operators,
          project.ignore,
          project.environments.map(({ name, id }) => [name, id]),
        ]
  return a !== undefined && b !== undefined && sameValue(meaning(a), meaning(b))
}

/** The keys and ids that changed files give on one side alone: only these can collide with a shared file's. */
function namesOnOneSide(before: readonly Definition[], after: readonly Definition[]): ReadonlySet<string> {
  const [namesBefore, namesAfter] = [namesIn(before), namesIn(after)]
  return new Set([
    ...[...namesBefore].filter((name) => !namesAfter.has(name)),
    ...[...namesAfter].filter((name) => !namesBefore.has(name)),
  ])
}

function namesIn(definitions: readonly Definition[]): Set<string> {
  return new Set(
    definitions.flatMap(({ key, id, configurations }) =>
      [key, id?.text, ...configurations.map((configuration) => configuration.id?.text)].filter(
        (name) => name !== undefined,
      ),
    ),
  )
}

/**
 * The shared files that might have one of the names as their key or an id. Both the name and the member that gives it
 * stand in the file's text, perhaps with escapes, unless the file's own name is the key.
 */
async function readNeighbours(
  tree: Tree,
  paths: readonly string[],
  names: ReadonlySet<string>,
): Promise<readonly SourceFile[]> {
  if (names.size === 0 || paths.length === 0) return []
  const sources = await tree.read(paths, createReport())
  const list = [...names]
  return sources.filter(
    ({ path, text }) =>
      names.has(basename(path).replace(/\.ya?ml$/, "")) ||
      (/\b(key|id)\b|\\/.test(text) && (text.includes("\\") || list.some((name) => text.includes(name)))),
  )
}

function finish(
  { project, segments, sources, definitions, report }: ReadSide,
  neighbours: readonly SourceFile[],
): CompiledSide {
  if (project !== undefined && neighbours.length > 0)
    checkFlagFiles([...sources, ...neighbours], project, segments.segments, report)
  const errors = distinct(report.diagnostics).filter(
    ({ severity, location, related }) =>
      severity === "error" &&
      [location, ...related.map((another) => another.location)].some(
        ({ source }) => !neighbours.includes(source),
      ),
  )
  const brokenFiles = filesOf(errors)
  const usesBroken = createBrokenUse(segments, brokenFiles)
  const isBroken = (definition: Definition) =>
    brokenFiles.has(definition.source.path) || usesBroken(definition)
  const named = new Set(definitions.map(({ source }) => source.path))
  const unnamed = [...brokenFiles].filter((path) => !named.has(path) && isFlagFile(path))
  return {
    segments,
    side: {
      project,
      flags:
        project === undefined
          ? []
          : definitions
              .filter((definition) => !isBroken(definition))
              .map((definition) => resolveFlag(definition, project)),
    },
    errors,
    brokenFiles,
    brokenKeys: new Set([...definitions.filter(isBroken).map(({ key }) => key), ...unnamed.map(keyOfFile)]),
  }
}

function isFlagFile(path: string): boolean {
  return basename(path) !== projectFileName && !isSegmentPath(path)
}

function filesOf(errors: readonly Diagnostic[]): ReadonlySet<string> {
  return new Set(
    errors.flatMap(({ location, related }) =>
      [location, ...related.map((another) => another.location)].map(({ source }) => source.path),
    ),
  )
}

/** Changed files are checked a second time with their neighbours: each diagnostic counts once. */
function distinct(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const byLocation = diagnostics.map((diagnostic) => {
    const { source, span } = diagnostic.location
    return [`${source.path} ${span.start} ${diagnostic.code} ${diagnostic.message}`, diagnostic] as const
  })
  return [...new Map(byLocation).values()]
}
