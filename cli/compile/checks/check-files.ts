import {
  createReport,
  type Finding,
  filterReport,
  type Report,
  type SourceFile,
} from "../../diagnostics/diagnostic.ts"
import type { DefinedSegment, Definition } from "../definition/definition.ts"
import type { Project } from "../definition/project.ts"
import { createValidator, toDefinition } from "../definition/validate.ts"
import { isSegmentPath, keyOfFile } from "../read/file-names.ts"
import { withFlags } from "../references/other-flags.ts"
import type { KnownSegments } from "../references/resolve-segments.ts"
import { parseSource } from "../yaml/parse.ts"
import type { ParsedFile } from "../yaml/tree.ts"
import { checkSegmentFiles } from "./check-segment-files.ts"
import { checkFlag, checkFlagsTogether } from "./checks.ts"
import { hasId } from "./ids-are-unique.ts"

/** The definitions and segments of a project's readable files. */
export interface CheckedFiles {
  readonly definitions: readonly Definition[]
  readonly segments: readonly DefinedSegment[]
  /** The segments as conditions use them. */
  readonly known: KnownSegments
  /** Whether every file gave a definition or a segment. */
  readonly isWhole: boolean
}

/** The check of a project's files in steps, so that the caller can do other work between two files. */
export interface FileChecks {
  readonly flagFiles: readonly SourceFile[]
  /** Parses, validates and checks one of the flag files. */
  readonly check: (file: SourceFile) => void
  /** Checks the flags against each other, once each of them has been checked. */
  readonly finish: () => CheckedFiles
}

/** Whether a flag file is to be checked. */
export type IsWanted = (source: SourceFile) => boolean

/**
 * Starts the check of segment files and flag files. The segments are checked at once, because flags use them. Flags that
 * are not wanted are not checked, but others may refer to them, and must not have their keys or ids.
 */
export function startChecks(
  sources: readonly SourceFile[],
  project: Project,
  report: Report,
  isWanted: IsWanted = () => true,
): FileChecks {
  const segmentFiles = sources.filter(({ path }) => isSegmentPath(path))
  const allFlags = segmentFiles.length === 0 ? sources : sources.filter(({ path }) => !isSegmentPath(path))
  const flagFiles = allFlags.filter(isWanted)
  const isRead = report.diagnostics.every(
    ({ code }) => code !== "unreadable-file" && code !== "file-too-large",
  )
  const { defined, segments } = checkSegmentFiles(segmentFiles, project, report)
  const trees = new Map<SourceFile, ParsedFile | undefined>()
  const treeOf = (file: SourceFile) => {
    if (!trees.has(file)) trees.set(file, parseSource(file, isWanted(file) ? report : createReport()))
    return trees.get(file)
  }
  const known = withFlags(segments, allFlags, treeOf)
  const validate = createValidator(project, known)
  const definitions: Definition[] = []
  return {
    flagFiles,
    check(file) {
      const tree = treeOf(file)
      const definition = tree && validate(tree, report)
      if (definition === undefined) return
      definitions.push(definition)
      checkFlag(definition, project, report)
    },
    finish() {
      const unwanted = flagFiles.length < allFlags.length ? allFlags.filter((file) => !isWanted(file)) : []
      const others = mayCollide(definitions, unwanted).flatMap((file) => {
        const tree = treeOf(file)
        return (tree && toDefinition(tree, known)) ?? []
      })
      const isAboutWanted = ({ source, related = [] }: Finding) =>
        [source, ...related.map(({ location }) => location.source)].some(isWanted)
      checkFlagsTogether([...definitions, ...others], project, filterReport(report, isAboutWanted))
      const isWhole = isRead && definitions.length + defined.length === sources.length
      return { definitions, segments: defined, known, isWhole }
    },
  }
}

/** The files that may have the key or an id of one of the flags. */
function mayCollide(flags: readonly Definition[], files: readonly SourceFile[]): readonly SourceFile[] {
  const keys = new Set(flags.map(({ key }) => key))
  const haveIds = flags.some(hasId)
  return files.filter(({ path, text }) => haveIds || keys.has(keyOfFile(path)) || mayNameItself.test(text))
}

/** A name with escapes may be any other. */
const mayNameItself = /\b(?:key|id)["']?\s*:|\\/
