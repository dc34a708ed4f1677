import type { Report, SourceFile } from "../../diagnostics/diagnostic.ts"
import type { DefinedSegment, Definition } from "../definition/definition.ts"
import type { Project } from "../definition/project.ts"
import type { Segments } from "../definition/segments.ts"
import { createValidator } from "../definition/validate.ts"
import { withFlags } from "../meaning/other-flags.ts"
import { isSegmentPath } from "../read/file-names.ts"
import { parseSource } from "../yaml/parse.ts"
import { checkSegmentFiles } from "./check-segment-files.ts"
import { checkFlag, checkFlagsTogether } from "./checks.ts"

/** The definitions and segments of a project's readable files. */
export interface CheckedFiles {
  readonly definitions: readonly Definition[]
  readonly segments: readonly DefinedSegment[]
  /** Whether every file gave a definition or a segment. */
  readonly isWhole: boolean
}

/** Parses, validates and checks segment files and flag files. Reports every mistake. */
export function checkFiles(sources: readonly SourceFile[], project: Project, report: Report): CheckedFiles {
  const segmentFiles = sources.filter(({ path }) => isSegmentPath(path))
  const flagFiles = segmentFiles.length === 0 ? sources : sources.filter(({ path }) => !isSegmentPath(path))
  const isRead = report.diagnostics.every(
    ({ code }) => code !== "unreadable-file" && code !== "file-too-large",
  )
  const { defined, segments: known } = checkSegmentFiles(segmentFiles, project, report)
  const segments = withFlags(known, flagFiles)
  const definitions = checkFlagFiles(flagFiles, project, segments, report)
  const isWhole = isRead && definitions.length + defined.length === sources.length
  return { definitions, segments: defined, isWhole }
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
