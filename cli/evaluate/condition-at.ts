import type { DefinedCondition, DefinedSegment } from "../compile/definition/definition.ts"
import type { SourceFile } from "../diagnostics/diagnostic.ts"

/** A condition, and the file that it stands in. */
interface InFile {
  readonly source: SourceFile
  readonly condition: DefinedCondition
}

/**
 * The condition at a path of positions in the lists of groups. A segment has no list of its own: its conditions stand in
 * its file. `undefined` where there is none.
 */
export function conditionAt(
  whole: InFile,
  path: readonly number[],
  segments: ReadonlyMap<string, DefinedSegment>,
): InFile | undefined {
  let at: InFile | undefined = whole
  for (const position of path) {
    at = groupOf(at, segments)
    if (at === undefined || !("conditions" in at.condition)) return undefined
    const condition: DefinedCondition | undefined = at.condition.conditions[position]
    at = condition && { source: at.source, condition }
  }
  return at
}

function groupOf(at: InFile | undefined, segments: ReadonlyMap<string, DefinedSegment>): InFile | undefined {
  let inner = at
  // Segments without mistakes end.
  while (inner?.condition.kind === "segment") inner = segments.get(inner.condition.name?.text ?? "")
  return inner
}
