import { dataFilesUsed } from "../checks/data-files-are-used.ts"
import { createReport, type SourceFile } from "../diagnostics/diagnostic.ts"
import type { WorkTree } from "../evaluate/read-work-tree.ts"
import type { Flag, Segment } from "../language/flag.ts"
import { memberOf, toValue } from "../language/tree.ts"
import { segmentsOf, type WithConditions } from "../reading/conditions-in-file.ts"
import { readSpecFiles } from "../specs/spec-files.ts"
import { parseSource } from "../yaml/parse.ts"

/** The paths to delete with a flag: its file, its specs, and the segments, lists and schemas that nothing else uses. */
export function filesToRemove(flag: Flag, tree: WorkTree): readonly string[] {
  const { project, flags, segments, invariants } = tree
  const specs = readSpecFiles(project.folder, createReport(), project.ignores).filter(
    (source) => flagOfSpec(source) === flag.key,
  )
  const others = [...flags.values()].filter((other) => other !== flag)
  const users = [...others, ...invariants]
  const left = segmentsLeft(flag, users, tree)
  const kept = [...segments.values()].filter((segment) => !left.includes(segment))
  const used = dataFilesUsed([...kept, ...users])
  const { files } = flag.references
  const data = [...dataFilesUsed([...left, flag])].flatMap((name) =>
    used.has(name) ? [] : (files?.get(name) ?? []),
  )
  const sources = [flag.source, ...specs, ...left.map(({ source }) => source), ...data]
  return sources.map(({ path }) => path)
}

/** The flag that a spec tests, even if the spec has mistakes. */
function flagOfSpec(source: SourceFile): unknown {
  const root = parseSource(source, createReport())?.root
  const flag = root?.kind === "mapping" ? memberOf(root, "flag") : undefined
  return flag && toValue(flag.value)
}

/** The segments that only this flag uses, directly or through others. A segment that stays keeps those that it uses. */
function segmentsLeft(
  flag: Flag,
  others: readonly WithConditions[],
  { segments, project }: WorkTree,
): readonly Segment[] {
  const own = new Set(segmentsOf(flag, segments))
  const inLane = project.fastLane.map(({ allows }) => allows.kind === "segment" && allows.name)
  const stay = [...segments.values()].filter((segment) => !own.has(segment) || inLane.includes(segment.name))
  const used = new Set([...stay, ...[...others, ...stay].flatMap((file) => segmentsOf(file, segments))])
  return [...own].filter((segment) => !used.has(segment))
}
