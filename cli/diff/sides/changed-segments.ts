import type { CheckedSegments } from "../../checks/check-segment-files.ts"
import { type KnownSegments, namesOneOf, withUsers } from "../../flag/resolve-segments.ts"
import { sameMeaning } from "../../language/encode.ts"
import type { Flag } from "../../language/flag.ts"
import { conditionsIn } from "../../reading/conditions-in-file.ts"
import { isListPath } from "../../reading/files/file-names.ts"
import { pathFrom } from "../../reading/files/read.ts"
import { listName, segmentsAndListsIn } from "../../reading/list-file.ts"

/**
 * The names of the segments whose conditions differ between two sides, including those that only one side has. A segment with
 * mistakes is not compared.
 */
export function changedSegments(before: KnownSegments, after: KnownSegments): ReadonlySet<string> {
  const names = [...before.names, ...after.names]
  const isBroken = (name: string) =>
    [before, after].some((side) => side.conditions.has(name) && side.get(name) === undefined)
  return new Set(names.filter((name) => !isBroken(name) && !sameMeaning(before.get(name), after.get(name))))
}

/** Checks whether a flag uses a segment or a list whose file is broken, directly or through others. */
export function createBrokenUse(
  { defined, segments }: CheckedSegments,
  brokenFiles: ReadonlySet<string>,
): (flag: Flag) => boolean {
  const unreadable = segments.names.filter((name) => segments.get(name) === undefined)
  const faulty = defined.filter(({ source }) => brokenFiles.has(source.path)).map(({ name }) => name)
  const folder = segments.files?.folder ?? ""
  const lists = [...brokenFiles].filter(isListPath).map((path) => listName(pathFrom(folder, path)))
  const broken = withUsers(new Set([...unreadable, ...faulty, ...lists]), segments.conditions, namesOneOf)
  return (flag) => [...conditionsIn(flag)].flatMap(segmentsAndListsIn).some((name) => broken.has(name))
}
