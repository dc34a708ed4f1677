import { basename } from "node:path"
import { checkFlagFiles } from "../../compile/checks/check-files.ts"
import { type CheckedSegments, checkSegmentFiles } from "../../compile/checks/check-segment-files.ts"
import type { Definition } from "../../compile/definition/definition.ts"
import { type Project, parseProject } from "../../compile/definition/project.ts"
import { sameValue } from "../../compile/meaning/canonical-json.ts"
import { expandSegments } from "../../compile/meaning/expand-segments.ts"
import { withFlags } from "../../compile/meaning/other-flags.ts"
import { resolveFlag } from "../../compile/meaning/resolve.ts"
import { isSegmentPath, keyOfFile, projectFileName } from "../../compile/read/file-names.ts"
import { pathFrom } from "../../compile/read/read.ts"
import { createReport, type Diagnostic, type Report, type SourceFile } from "../../diagnostics/diagnostic.ts"
import type { Tree } from "../revisions/tree.ts"
import { changedSegments, createBrokenUse } from "./changed-segments.ts"
import { mightName, readNeighbours } from "./neighbours.ts"
import type { Side } from "./side.ts"

/** A compiled side: the flags of its files that have no error, and the errors of the others. */
export interface CompiledSide extends Side {
  readonly errors: readonly Diagnostic[]
  /** Absolute paths of the files that an error is about. */
  readonly brokenFiles: ReadonlySet<string>
  /** The keys of their flags; for a file that cannot be read, the key from its name. */
  readonly brokenKeys: ReadonlySet<string>
}

/**
 * Compiles what can differ between two trees: the files whose contents or paths differ, those that use a segment that
 * differs, and those that depend on another flag. The meaning of any other flag follows from its own file, the segments
 * that it uses and the project file alone, so any other file that both sides have means the same on both; it is read only
 * if a changed file's key or id might collide with its own. If the project files differ in more than their protected
 * environments, everything is compiled.
 */
export async function compileSides(
  before: Tree,
  after: Tree,
  folder: string,
): Promise<{ readonly before: CompiledSide; readonly after: CompiledSide }> {
  const [base, head] = [await readBasis(before, folder), await readBasis(after, folder)]
  const same = isSameProject(base.project, head.project)
    ? head.paths.filter((path) => before.files.get(path) === after.files.get(path))
    : []
  const segments = changedSegments(base.segments.segments, head.segments.segments)
  const common = await after.read(same, createReport())
  const asking = new Set(common.filter(mightAskFlag).map(({ path }) => pathFrom(folder, path)))
  const users = await withoutUsers(same, segments, after, folder)
  const shared = users.filter((path) => !asking.has(path))
  const readSide = (basis: Basis) => readChanged(basis, shared, common)
  const [changedBefore, changedAfter] = [await readSide(base), await readSide(head)]
  const sources = await readNeighbours(shared, changedBefore.definitions, changedAfter.definitions, after)
  return { before: finish(base, changedBefore, sources), after: finish(head, changedAfter, sources) }
}

/** What the flags of a tree depend on, and where they are. */
interface Basis {
  readonly tree: Tree
  readonly project: Project | undefined
  readonly segments: CheckedSegments
  /** The flag files, without those that the project ignores; none without a project. */
  readonly paths: readonly string[]
  readonly report: Report
}

async function readBasis(tree: Tree, folder: string): Promise<Basis> {
  const report = createReport()
  const [source] = tree.files.has(projectFileName) ? await tree.read([projectFileName], report) : []
  const project = source && parseProject(source, folder, report)
  const own =
    project === undefined
      ? []
      : [...tree.files.keys()].filter((path) => path !== projectFileName && !project.ignores(path))
  const segmentFiles = own.filter(isSegmentPath)
  const segments =
    project === undefined || segmentFiles.length === 0
      ? { defined: [], segments: expandSegments(new Map()) }
      : checkSegmentFiles(await tree.read(segmentFiles, report), project, report)
  return { tree, project, segments, paths: own.filter((path) => !isSegmentPath(path)), report }
}

/** Whether a flag file means the same in both projects. */
function isSameProject(a: Project | undefined, b: Project | undefined): boolean {
  const meaning = ({ name, id, operators, ignore, environments }: Project) => [
    name,
    id,
    operators,
    ignore,
    environments.map((environment) => [environment.name, environment.id]),
  ]
  return a !== undefined && b !== undefined && sameValue(meaning(a), meaning(b))
}

/** The paths without those of files that might use one of the segments. */
async function withoutUsers(
  paths: readonly string[],
  segments: ReadonlySet<string>,
  tree: Tree,
  folder: string,
): Promise<readonly string[]> {
  if (segments.size === 0) return paths
  const users = (await tree.read(paths, createReport())).filter(({ text }) => mightName(text, segments))
  const used = new Set(users.map(({ path }) => pathFrom(folder, path)))
  return paths.filter((path) => !used.has(path))
}

/** The files of one side that the other side does not share. */
interface Changed {
  readonly sources: readonly SourceFile[]
  readonly definitions: readonly Definition[]
}

async function readChanged(
  { tree, project, segments, paths, report }: Basis,
  shared: readonly string[],
  common: readonly SourceFile[],
): Promise<Changed> {
  if (project === undefined) return { sources: [], definitions: [] }
  const known = new Set(shared)
  const changed = paths.filter((path) => !known.has(path))
  const sources = await tree.read(changed, report)
  const withOthers = withFlags(segments.segments, [...sources, ...common])
  return { sources, definitions: checkFlagFiles(sources, project, withOthers, report) }
}

/** Checks the changed files with their neighbours, for keys and ids that collide, and resolves those without an error. */
function finish(
  { project, segments, report }: Basis,
  { sources, definitions }: Changed,
  neighbours: readonly SourceFile[],
): CompiledSide {
  if (project !== undefined && neighbours.length > 0)
    checkFlagFiles([...sources, ...neighbours], project, segments.segments, report)
  const errors = report.diagnostics.filter(
    (diagnostic) =>
      diagnostic.severity === "error" && sourcesOf(diagnostic).some((source) => !neighbours.includes(source)),
  )
  const brokenFiles = new Set(errors.flatMap(sourcesOf).map(({ path }) => path))
  const usesBroken = createBrokenUse(segments, brokenFiles)
  const isBroken = (definition: Definition) =>
    brokenFiles.has(definition.source.path) || usesBroken(definition)
  const broken = definitions.filter(isBroken)
  const named = new Set(definitions.map(({ source }) => source.path))
  const unnamed = [...brokenFiles].filter((path) => !named.has(path) && isFlagFile(path))
  return {
    project,
    flags:
      project === undefined
        ? []
        : definitions
            .filter((definition) => !isBroken(definition))
            .map((definition) => resolveFlag(definition, project)),
    segments: segments.segments,
    errors,
    brokenFiles,
    brokenKeys: new Set([...broken.map(({ key }) => key), ...unnamed.map(keyOfFile)]),
  }
}

/** Whether a file may have a condition about another flag. */
function mightAskFlag({ text }: SourceFile): boolean {
  return /\bflag["']?\s*:/.test(text)
}

function isFlagFile(path: string): boolean {
  return basename(path) !== projectFileName && !isSegmentPath(path)
}

/** The files that a diagnostic is about. */
function sourcesOf({ location, related }: Diagnostic): readonly SourceFile[] {
  return [location, ...related.map((another) => another.location)].map(({ source }) => source)
}
