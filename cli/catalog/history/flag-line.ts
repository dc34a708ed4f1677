import type { Project } from "../../compile/definition/project.ts"
import type { Segments } from "../../compile/definition/segments.ts"
import { referencesOf } from "../../compile/flags/configuration.ts"
import type { ResolvedFlag } from "../../compile/flags/resolve.ts"
import type { SegmentVersion } from "../../compile/history/flag-version.ts"
import { compileOldSegment, readOldFlag } from "../../compile/history/old-version.ts"
import { readableChanges } from "../../compile/history/readable-changes.ts"
import { createSegmentLine } from "../../compile/history/segment-line.ts"
import type { FileChange } from "../../compile/history/walk.ts"
import { isSegmentPath } from "../../compile/read/file-names.ts"
import { isSourcePath } from "../../compile/read/read.ts"
import { namesOf } from "../../language/references.ts"
import type { TouchedFlags } from "./describe-changes.ts"

/** What a commit changed below the flags folder, by path. */
export type Changes = ReadonlyMap<string, FileChange>

type FileAndChange = readonly [path: string, change: FileChange]

/** The text of a blob that `blobsFor` named. */
export type TextOf = (blob: string) => Uint8Array

/** The flags folder after a commit, with each file's newest readable version, as JSON. */
export interface FolderState {
  readonly flags: readonly (readonly [path: string, file: FlagFileState])[]
  readonly segments: readonly (readonly [path: string, version: SegmentVersion])[]
}

interface FlagFileState {
  readonly blob: string
  readonly key: string
  /** The names of the segments that it uses directly. */
  readonly uses: readonly string[]
}

export const emptyFolder: FolderState = { flags: [], segments: [] }

/** The flags, one commit after another. */
export interface FlagLine {
  /** The blobs that `apply` reads in the next commits. */
  readonly blobsFor: (all: readonly Changes[]) => ReadonlySet<string>
  /** Applies the next commit, and returns the flags that it touches: those of changed files and of changed segments. */
  readonly apply: (changes: Changes, textOf: TextOf) => TouchedFlags
  readonly state: () => FolderState
}

/**
 * Follows the flag files from commit to commit. A version is read with today's project file and its own commit's
 * segments; an unreadable one changes nothing. A flag whose key another file also has (no build accepts that) counts as
 * neither added nor removed.
 */
export function createFlagLine(from: FolderState, project: Project): FlagLine {
  const files = new Map<string, FlagFileState>(from.flags)
  const segmentLine = createSegmentLine(new Map(from.segments))

  function blobsFor(all: readonly Changes[]): ReadonlySet<string> {
    const own = all.map((changes) => ofProject(changes, project))
    const blobs = new Set<string>()
    const want = (blob: string | undefined) => blob !== undefined && blobs.add(blob)
    for (const changes of own)
      for (const [path, { after }] of changes) {
        want(files.get(path)?.blob)
        want(after)
      }
    if (own.some((changes) => changes.some(([path]) => isSegmentPath(path))))
      for (const { blob, uses } of files.values()) if (uses.length > 0) want(blob)
    return blobs
  }

  function apply(changes: Changes, textOf: TextOf): TouchedFlags {
    const [segmentFiles, flagFiles] = partition(ofProject(changes, project))
    const segmentsBefore = segmentLine.current()
    const changedSegments = segmentLine.apply(
      mapAfter(segmentFiles, (blob, path) => compileOldSegment(textOf(blob), path)),
    )
    const segments = segmentLine.current()
    const touched = new Set([...flagFiles.map(([path]) => path), ...usersOf(changedSegments, files)])
    const read = (path: string, among: Segments): ResolvedFlag | undefined => {
      const blob = files.get(path)?.blob
      return blob === undefined ? undefined : readOldFlag(textOf(blob), path, project, among)
    }
    const before = [...touched].flatMap((path) => read(path, segmentsBefore) ?? [])
    const parsed = new Map<string, ResolvedFlag>()
    const versions = mapAfter<FlagFileState>(flagFiles, (blob, path) => {
      const flag = readOldFlag(textOf(blob), path, project, segments)
      if (flag === undefined) return "unreadable"
      parsed.set(path, flag)
      return { blob, key: flag.flag.key, uses: usesOf(flag) }
    })
    for (const [path, file] of readableChanges(versions, files))
      if (file === undefined) files.delete(path)
      else files.set(path, file)
    const after = [...touched].flatMap((path) => parsed.get(path) ?? read(path, segments) ?? [])
    const isElsewhere = (key: string) =>
      [...files].some(([path, file]) => file.key === key && !touched.has(path))
    return {
      before: withoutDuplicates(before, after, isElsewhere),
      after: withoutDuplicates(after, before, isElsewhere),
    }
  }

  return {
    blobsFor,
    apply,
    state: () => ({ flags: [...files], segments: [...segmentLine.files()] }),
  }
}

/** Leaves out flags that are on only one side of a commit but whose key another file has. */
function withoutDuplicates(
  side: readonly ResolvedFlag[],
  other: readonly ResolvedFlag[],
  isElsewhere: (key: string) => boolean,
): readonly ResolvedFlag[] {
  const keys = new Set(other.map(({ flag }) => flag.key))
  return side.filter(({ flag: { key } }) => keys.has(key) || !isElsewhere(key))
}

/** The changed files that may be flags or segments. Files that the project ignores today are left out of all commits. */
function ofProject(changes: Changes, { ignores }: Project): readonly FileAndChange[] {
  return [...changes].filter(([path]) => isSourcePath(path) && !ignores(path))
}

/** Separates the files that may be segments from those that may be flags. */
function partition(changes: readonly FileAndChange[]): readonly [FileAndChange[], FileAndChange[]] {
  const isSegment = ([path]: FileAndChange) => isSegmentPath(path)
  return [changes.filter(isSegment), changes.filter((change) => !isSegment(change))]
}

/** The changed files after the commit; `undefined`: the file was removed. */
function mapAfter<Version>(
  changes: readonly FileAndChange[],
  read: (blob: string, path: string) => Version | "unreadable",
): ReadonlyMap<string, Version | "unreadable" | undefined> {
  return new Map(
    changes.map(([path, { after }]) => [path, after === undefined ? undefined : read(after, path)]),
  )
}

function usesOf({ referring }: ResolvedFlag): readonly string[] {
  return [...(referring?.values() ?? [])].flatMap(
    (configuration) => namesOf(referencesOf(configuration)).segments,
  )
}

/** The paths of the files that use one of the segments. */
function usersOf(
  segments: ReadonlySet<string>,
  files: ReadonlyMap<string, FlagFileState>,
): readonly string[] {
  if (segments.size === 0) return []
  return [...files].filter(([, { uses }]) => uses.some((name) => segments.has(name))).map(([path]) => path)
}
