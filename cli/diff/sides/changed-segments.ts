import type { CheckedSegments } from "../../compile/checks/check-segment-files.ts"
import { conditionsIn } from "../../compile/definition/conditions-in-file.ts"
import type { Definition } from "../../compile/definition/definition.ts"
import { listName, segmentsAndListsIn } from "../../compile/definition/list-file.ts"
import { isListPath } from "../../compile/read/file-names.ts"
import { pathFrom } from "../../compile/read/read.ts"
import { type KnownSegments, withUsers } from "../../compile/references/resolve-segments.ts"
import { sameMeaning } from "../../language/encode.ts"

/** The names of the segments whose conditions differ between two sides, including those that only one side has. */
export function changedSegments(before: KnownSegments, after: KnownSegments): ReadonlySet<string> {
  const names = [...before.names, ...after.names]
  return new Set(names.filter((name) => !sameMeaning(before.get(name), after.get(name))))
}

/** Checks whether a flag uses a segment or a list whose file is broken, directly or through others. */
export function createBrokenUse(
  { defined, segments }: CheckedSegments,
  brokenFiles: ReadonlySet<string>,
): (definition: Definition) => boolean {
  const unreadable = segments.names.filter((name) => segments.get(name) === undefined)
  const faulty = defined.filter(({ source }) => brokenFiles.has(source.path)).map(({ name }) => name)
  const folder = segments.files?.folder ?? ""
  const lists = [...brokenFiles].filter(isListPath).map((path) => listName(pathFrom(folder, path)))
  const broken = withUsers(new Set([...unreadable, ...faulty, ...lists]), segments.conditions)
  return (definition) =>
    [...conditionsIn(definition)].flatMap(segmentsAndListsIn).some((name) => broken.has(name))
}
