import type { Report } from "../diagnostics/diagnostic.ts"
import type { Segment } from "../language/flag.ts"
import { memberOf, type ParsedFile, writtenText } from "../language/tree.ts"
import { toCondition } from "./condition.ts"
import { checkConditionForm } from "./condition-form.ts"
import { segmentNameOf } from "./files/file-names.ts"
import { pathFrom } from "./files/read.ts"
import { segmentFileSchema } from "./grammar/schema.ts"
import type { Project } from "./project.ts"
import { noReferences } from "./references.ts"
import { refuseOddTexts } from "./refuse-odd-texts.ts"
import { checkShape } from "./shape.ts"

/** A segment, before the segments that it may use are known. */
export type LoneSegment = Omit<Segment, "references">

/** Returns the stage that reads a file's segment, if the file is a mapping, and reports what differs from the form of one. */
export function createSegmentReader(
  project: Project,
): (file: ParsedFile, report: Report) => LoneSegment | undefined {
  const schema = segmentFileSchema(project)
  return (file, report) => {
    if (refuseOddTexts(file, report) || !checkShape(file, schema, report)) return undefined
    const segment = toSegment(file, project, pathFrom(project.folder, file.source.path))
    if (segment !== undefined) checkConditionForm({ ...segment, references: noReferences }, project, report)
    return segment
  }
}

/** Reads the segment file at a path in the flags folder, even one with mistakes; `undefined` if it is not a mapping. */
export function toSegment(
  { source, root }: ParsedFile,
  { clock }: Pick<Project, "clock">,
  path: string = source.path,
): LoneSegment | undefined {
  if (root.kind !== "mapping") return undefined
  return {
    source,
    root,
    name: segmentNameOf(source.path),
    description: writtenText(memberOf(root, "description")?.value)?.text ?? "",
    condition: toCondition(root, { path, clock }),
  }
}
