import type { Report } from "../diagnostics/diagnostic.ts"
import type { Flag } from "../language/flag.ts"
import { type References, written } from "../language/references.ts"
import { isListPath } from "../reading/files/file-names.ts"
import { decodeSource } from "../reading/files/read-source.ts"
import { listCondition, listName } from "../reading/list-file.ts"
import type { Project } from "../reading/project.ts"
import { toFlag } from "../reading/read-flag.ts"
import { type LoneSegment, toSegment } from "../reading/read-segment.ts"
import { noReferences } from "../reading/references.ts"
import { parseSource } from "../yaml/parse.ts"
import type { SegmentVersion } from "./flag-version.ts"

/**
 * The meaning of an old version of a flag file. It may be invalid today: anything of the wrong shape counts as absent.
 * `undefined` if it cannot be read or is not a mapping.
 */
export function readOldFlag(
  bytes: Uint8Array,
  path: string,
  project: Project,
  references: References = noReferences,
): Flag | undefined {
  const source = decodeSource(path, bytes, ignored)
  const file = source && parseSource(source, ignored)
  const flag = file && toFlag(file, project, references)
  return flag && withinProject(flag, project)
}

/** The flag without its configurations in environments that the project no longer has. */
function withinProject(flag: Flag, { environments }: Project): Flag {
  const known = [...flag.configurations].filter(([name]) => environments.some((one) => one.name === name))
  return { ...flag, configurations: new Map(known) }
}

/** The same for an old version of a segment file, or of a file with a list. */
export function compileOldSegment(
  bytes: Uint8Array,
  path: string,
  project: Pick<Project, "clock">,
): SegmentVersion | "unreadable" {
  const source = decodeSource(path, bytes, ignored)
  if (isListPath(path)) return source === undefined ? "unreadable" : listVersion(source.text, path)
  const file = source && parseSource(source, ignored)
  const segment = file && toSegment(file, project)
  return segment === undefined ? "unreadable" : segmentVersion(segment)
}

/** A segment file's version. */
export function segmentVersion({ name, condition }: LoneSegment): SegmentVersion {
  return { name, condition: written(condition) }
}

/** The version of a file with a list, whose path is relative to the flags folder. */
export function listVersion(text: string, path: string): SegmentVersion {
  return { name: listName(path), condition: listCondition(text) }
}

/** No one can fix mistakes in old versions. */
const ignored: Report = { add: () => {}, diagnostics: [], hasErrors: false }
