import type { Report, SourceFile } from "../diagnostics/diagnostic.ts"
import { dataFilesOf, listsIn } from "../flag/data-files.ts"
import { type KnownSegments, resolveSegments } from "../flag/resolve-segments.ts"
import type { Segment } from "../language/flag.ts"
import type { DataFiles } from "../language/references.ts"
import { isSegmentPath, segmentNameOf } from "../reading/files/file-names.ts"
import type { Project } from "../reading/project.ts"
import { resolvedIn } from "../reading/references.ts"
import { createSegmentValidator } from "../reading/validate-segment.ts"
import { parseSource } from "../yaml/parse.ts"
import { checkSegments } from "./checks.ts"

/** A project's segments, as written and as conditions use them. */
export interface CheckedSegments {
  /** In file order, without those that are not mappings. */
  readonly defined: readonly Segment[]
  readonly segments: KnownSegments
}

/**
 * Parses, validates and checks segment files; `files` are those with lists. Reports every mistake, so files that use them need not. A file that could
 * not be read, which has been reported, also counts as a segment with mistakes.
 */
export function checkSegmentFiles(
  sources: readonly SourceFile[],
  project: Project,
  report: Report,
  files: DataFiles = dataFilesOf(project.folder, [], report),
): CheckedSegments {
  const unread = report.diagnostics.flatMap(({ severity, location: { source } }) =>
    severity === "error" && isSegmentPath(source.path) ? [source] : [],
  )
  const validate = createSegmentValidator(project)
  const parsed = sources.flatMap((source) => {
    const tree = parseSource(source, report)
    return (tree && validate(tree, report)) ?? []
  })
  const conditions = new Map(
    // the first of two with the same name
    parsed.toReversed().map(({ name, condition }) => [name, condition] as const),
  )
  const names = [...sources, ...unread].map(({ path }) => segmentNameOf(path))
  const written = names.map((name) => [name, conditions.get(name)] as const)
  const segments = { ...resolveSegments(new Map([...written, ...listsIn(files)])), files }
  const defined = parsed.map((segment) => ({
    ...segment,
    condition: resolvedIn(segments, segment.condition),
    references: segments,
  }))
  checkSegments(defined, project, report)
  return { defined, segments }
}
