import { brokenPaths, createReport, passOn, type Report, type SourceFile } from "../diagnostics/diagnostic.ts"
import { dataFilesOf, listsIn } from "../flag/data-files.ts"
import { type KnownSegments, resolveSegments } from "../flag/resolve-segments.ts"
import type { Segment } from "../language/flag.ts"
import type { DataFiles } from "../language/references.ts"
import { isSegmentPath, segmentNameOf } from "../reading/files/file-names.ts"
import type { Project } from "../reading/project.ts"
import { createSegmentReader } from "../reading/read-segment.ts"
import { resolvedIn } from "../reading/references.ts"
import { parseSource } from "../yaml/parse.ts"
import { checkSegments } from "./checks.ts"

/** A project's segments, as written and as conditions use them. */
export interface CheckedSegments {
  /** In file order, without those that are not mappings. */
  readonly defined: readonly Segment[]
  readonly segments: KnownSegments
}

/**
 * Parses, validates and checks segment files; `files` are those with lists. A segment with mistakes, or whose file could not be
 * read, is known but means nothing, so that nothing follows from it.
 */
export function checkSegmentFiles(
  sources: readonly SourceFile[],
  project: Project,
  report: Report,
  files: DataFiles = dataFilesOf(project.folder, [], report),
): CheckedSegments {
  const unread = [...brokenPaths(report)].filter(isSegmentPath)
  const own = createReport()
  const validate = createSegmentReader(project)
  const parsed = sources.flatMap((source) => {
    const tree = parseSource(source, own)
    return (tree && validate(tree, own)) ?? []
  })
  const conditions = new Map(
    // the first of two with the same name
    parsed.toReversed().map(({ name, condition }) => [name, condition] as const),
  )
  const names = [...sources.map(({ path }) => path), ...unread].map(segmentNameOf)
  const resolve = (isSound: (name: string) => boolean) => {
    const written = names.map((name) => [name, isSound(name) ? conditions.get(name) : undefined] as const)
    return { ...resolveSegments(new Map([...written, ...listsIn(files)])), files }
  }
  const segments = resolve(() => true)
  const defined = parsed.map((segment) => ({
    ...segment,
    condition: resolvedIn(segments, segment.condition),
    references: segments,
  }))
  checkSegments(defined, project, own)
  passOn(own, report)
  const broken = new Set([...brokenPaths(own)].map(segmentNameOf))
  return { defined, segments: broken.size === 0 ? segments : resolve((name) => !broken.has(name)) }
}
