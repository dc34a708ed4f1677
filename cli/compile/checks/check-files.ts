import type { Report, SourceFile } from "../../diagnostics/diagnostic.ts"
import type { DefinedSegment, Definition } from "../definition/definition.ts"
import type { Project } from "../definition/project.ts"
import type { Segments } from "../definition/segments.ts"
import { createValidator } from "../definition/validate.ts"
import type { KnownSegments } from "../meaning/expand-segments.ts"
import { withFlags } from "../meaning/other-flags.ts"
import { isSegmentPath } from "../read/file-names.ts"
import { parseSource } from "../yaml/parse.ts"
import { checkSegmentFiles } from "./check-segment-files.ts"
import { checkFlag, checkFlagsTogether } from "./checks.ts"

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

/** Starts the check of segment files and flag files. The segments are checked at once, because flags use them. */
export function startChecks(sources: readonly SourceFile[], project: Project, report: Report): FileChecks {
  const segmentFiles = sources.filter(({ path }) => isSegmentPath(path))
  const flagFiles = segmentFiles.length === 0 ? sources : sources.filter(({ path }) => !isSegmentPath(path))
  const isRead = report.diagnostics.every(
    ({ code }) => code !== "unreadable-file" && code !== "file-too-large",
  )
  const { defined, segments } = checkSegmentFiles(segmentFiles, project, report)
  const known = withFlags(segments, flagFiles)
  const validate = createValidator(project, known)
  const definitions: Definition[] = []
  return {
    flagFiles,
    check(file) {
      const tree = parseSource(file, report)
      const definition = tree && validate(tree, report)
      if (definition === undefined) return
      definitions.push(definition)
      checkFlag(definition, project, report)
    },
    finish() {
      checkFlagsTogether(definitions, project, report)
      const isWhole = isRead && definitions.length + defined.length === sources.length
      return { definitions, segments: defined, known, isWhole }
    },
  }
}

/** Parses, validates and checks flag files, which may use the segments. Reports every mistake. */
export function checkFlagFiles(
  sources: readonly SourceFile[],
  project: Project,
  segments: Segments,
  report: Report,
): readonly Definition[] {
  const validate = createValidator(project, segments)
  const definitions = sources.flatMap((source) => {
    const tree = parseSource(source, report)
    return (tree && validate(tree, report)) ?? []
  })
  for (const definition of definitions) checkFlag(definition, project, report)
  checkFlagsTogether(definitions, project, report)
  return definitions
}
