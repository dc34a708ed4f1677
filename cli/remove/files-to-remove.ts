import type { DefinedSegment, Definition } from "../compile/definition/definition.ts"
import { eachCondition, eachUse } from "../compile/definition/each-condition.ts"
import { parseSource } from "../compile/yaml/parse.ts"
import { memberOf, toValue } from "../compile/yaml/tree.ts"
import { createReport, type SourceFile } from "../diagnostics/diagnostic.ts"
import type { WorkTree } from "../evaluate/read-work-tree.ts"
import { readSpecFiles } from "../specs/spec-files.ts"

/** The paths of what goes with a flag: its file, its specs, and the segments that then no one uses any more. */
export function filesToRemove(definition: Definition, tree: WorkTree): readonly string[] {
  const { project, definitions, segments } = tree
  const specs = readSpecFiles(project.folder, createReport(), project.ignores).filter(
    (source) => flagOfSpec(source) === definition.key,
  )
  const others = [...definitions.values()].filter((other) => other !== definition)
  return [definition.source, ...specs, ...segmentsLeft(definition, others, segments)].map(({ path }) => path)
}

/** Which flag a spec is about, whatever mistakes it has. */
function flagOfSpec(source: SourceFile): unknown {
  const root = parseSource(source, createReport())?.root
  const flag = root?.kind === "mapping" ? memberOf(root, "flag") : undefined
  return flag && toValue(flag.value)
}

/** The segments that a flag uses, directly or through others, and no one else does. */
function segmentsLeft(
  definition: Definition,
  others: readonly Definition[],
  segments: ReadonlyMap<string, DefinedSegment>,
) {
  const used = reachedFrom(others, segments)
  return [...reachedFrom([definition], segments)]
    .filter((name) => !used.has(name) && !usedByUnused(name, segments, used, definition))
    .flatMap((name) => segments.get(name)?.source ?? [])
}

/** Whether a segment that no flag uses needs it: that one was there before, and stays. */
function usedByUnused(
  name: string,
  segments: ReadonlyMap<string, DefinedSegment>,
  used: ReadonlySet<string>,
  definition: Definition,
): boolean {
  const own = reachedFrom([definition], segments)
  const idle = [...segments.values()].filter((segment) => !used.has(segment.name) && !own.has(segment.name))
  return reachedFrom(idle, segments).has(name)
}

function reachedFrom(
  files: readonly (Definition | DefinedSegment)[],
  segments: ReadonlyMap<string, DefinedSegment>,
): ReadonlySet<string> {
  const reached = new Set<string>()
  const visit = (file: Definition | DefinedSegment) =>
    eachCondition(file, (condition) =>
      eachUse(condition, ({ name }) => {
        if (name === undefined || reached.has(name.text)) return
        reached.add(name.text)
        const segment = segments.get(name.text)
        if (segment !== undefined) visit(segment)
      }),
    )
  files.forEach(visit)
  return reached
}
