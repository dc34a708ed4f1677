import {
  createReport,
  filterReport,
  passOn,
  type Report,
  type SourceFile,
} from "../diagnostics/diagnostic.ts"
import { dataFilesOf } from "../flag/data-files.ts"
import { hasField, type TreeOf, withFlags } from "../flag/other-flags.ts"
import type { KnownSegments } from "../flag/resolve-segments.ts"
import type { Flag, Invariant, Segment } from "../language/flag.ts"
import type { DataFiles, References } from "../language/references.ts"
import type { ParsedFile } from "../language/tree.ts"
import type { WithConditions } from "../reading/conditions-in-file.ts"
import {
  isDataPath,
  isFlagSource,
  isInvariantsPath,
  isListPath,
  isSegmentPath,
  keyOfFile,
} from "../reading/files/file-names.ts"
import type { Project } from "../reading/project.ts"
import { createFlagReader, toFlag } from "../reading/read-flag.ts"
import { readInvariants } from "../reading/read-invariants.ts"
import { parseSource } from "../yaml/parse.ts"
import { checkSegmentFiles } from "./check-segment-files.ts"
import { checkFlag, checkFlagsTogether, checkInvariants, hasWrongForm } from "./checks.ts"
import { dataFilesAreUsed, dataFilesUsed } from "./data-files-are-used.ts"
import { hasId } from "./ids-are-unique.ts"
import { laneSegmentsAreKnown } from "./lane-segments-are-known.ts"
import { listLinesAreText } from "./list-lines-are-text.ts"

/** What the readable files of a project have. */
export interface CheckedFiles {
  /** In the order of their paths, even those with mistakes. */
  readonly flags: readonly Flag[]
  /** The segments as conditions use them, and as written. */
  readonly segments: KnownSegments
  readonly defined: readonly Segment[]
  /** What must hold for every user, as written. */
  readonly invariants: readonly Invariant[]
  /** Whether every file gave what it is for. */
  readonly isWhole: boolean
}

/** Whether a flag file is to be checked. */
export type IsWanted = (source: SourceFile) => boolean

/**
 * Parses, validates and checks a project's files: first the segments, because flags use them, and last the flags against each other,
 * and the invariants. Yields before each flag file how many are done, and of how many, so that the caller can do other work between
 * two files. Flags that are not wanted are not checked, but others may refer to them, and must not have their keys or ids.
 */
export function* checkFiles(
  sources: readonly SourceFile[],
  project: Project,
  report: Report,
  isWanted: IsWanted = () => true,
): Generator<readonly [done: number, all: number], CheckedFiles> {
  const data = sources.filter(({ path }) => isDataPath(path))
  const segmentFiles = sources.filter(({ path }) => isSegmentPath(path))
  const invariantFiles = sources.filter(({ path }) => isInvariantsPath(path))
  const allFlags = sources.filter(({ path }) => isFlagSource(path))
  const isRead = report.diagnostics.every(
    ({ code }) => code !== "unreadable-file" && code !== "file-too-large",
  )
  const files = dataFilesOf(project.folder, data, report)
  const { defined, segments: alone } = checkSegmentFiles(segmentFiles, project, report, files)
  laneSegmentsAreKnown(project, alone.names, report)
  const trees = new Map<SourceFile, ParsedFile | undefined>()
  const treeOf = (file: SourceFile) => {
    if (!trees.has(file)) trees.set(file, parseSource(file, isWanted(file) ? report : createReport()))
    return trees.get(file)
  }
  const readings = new Map<SourceFile, ReadFlag>()
  const readOf = (file: SourceFile): ReadFlag => {
    const found = readings.get(file)
    if (found !== undefined) return found
    const own = createReport()
    readings.set(file, { flag: undefined, own, isBroken: false }) // for one that depends on itself, which a check reports
    const tree = treeOf(file)
    const flag = tree && validate(tree, own)
    const made = { flag, own, isBroken: flag === undefined || hasWrongForm(flag, project, own) }
    readings.set(file, made)
    return made
  }
  const segments = withFlags(alone, allFlags, treeOf, project, (file) => readOf(file).isBroken)
  const validate = createFlagReader(project, segments)
  const flags: Flag[] = []
  const wanted = allFlags.filter(isWanted)
  for (const [done, file] of wanted.entries()) {
    yield [done, wanted.length]
    const { flag, own } = readOf(file)
    if (flag !== undefined) {
      flags.push(flag)
      checkFlag(flag, project, own)
    }
    passOn(own, report)
  }
  const unwanted = allFlags.filter((file) => !isWanted(file))
  const others = mayCollide(flags, unwanted, treeOf).flatMap((file) => {
    const tree = treeOf(file)
    return (tree && toFlag(tree, project, segments)) ?? []
  })
  checkFlagsTogether([...flags, ...others], project, aboutOnly(isWanted, report))
  const { invariants, unread } = checkInvariantFiles(invariantFiles, project, segments, report)
  const read = flags.length + defined.length + invariantFiles.length - unread + data.length
  const isWhole = isRead && read === sources.length
  checkDataFiles([...defined, ...flags, ...invariants], files, isWhole, report)
  return { flags, segments, defined, invariants, isWhole }
}

/** A flag file as it was read. */
interface ReadFlag {
  readonly flag: Flag | undefined
  readonly own: Report
  /** Whether its form or a value is wrong, so that it is unknown what the flag gives. */
  readonly isBroken: boolean
}

/** A report that passes on only what is about a wanted file. */
function aboutOnly(isWanted: IsWanted, report: Report): Report {
  return filterReport(report, ({ source, related = [] }) =>
    [source, ...related.map(({ location }) => location.source)].some(isWanted),
  )
}

/** The invariants of files, and how many of the files could not be read. */
function checkInvariantFiles(
  sources: readonly SourceFile[],
  project: Project,
  references: References,
  report: Report,
): { readonly invariants: readonly Invariant[]; readonly unread: number } {
  const read = sources.map((source) => {
    const tree = parseSource(source, report)
    return tree && readInvariants(tree, project, references, report)
  })
  const invariants = read.flatMap((file) => file ?? [])
  checkInvariants(invariants, project, report)
  return { invariants, unread: read.filter((file) => file === undefined).length }
}

/** The lists that are used are texts and, if all files could be read, none is unused. */
function checkDataFiles(
  users: readonly WithConditions[],
  files: DataFiles,
  isWhole: boolean,
  report: Report,
): void {
  const used = dataFilesUsed(users)
  for (const name of used) {
    const list = isListPath(name) ? files.get(name) : undefined
    if (list !== undefined) listLinesAreText(list, report)
  }
  if (isWhole) dataFilesAreUsed(files, used, report)
}

/** The files that may have the key or an id of one of the flags. */
function mayCollide(
  flags: readonly Flag[],
  files: readonly SourceFile[],
  treeOf: TreeOf,
): readonly SourceFile[] {
  const keys = new Set(flags.map(({ key }) => key))
  const haveIds = flags.some(hasId)
  return files.filter(
    (file) => haveIds || keys.has(keyOfFile(file.path)) || hasField(file, namesOfItself, treeOf),
  )
}

const namesOfItself: ReadonlySet<string> = new Set(["key", "id"])
