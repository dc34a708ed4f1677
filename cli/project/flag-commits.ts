import { join } from "node:path"
import { dataFilesUsed } from "../compile/checks/data-files-are-used.ts"
import { wholeConditions } from "../compile/definition/conditions-in-file.ts"
import { noSegments } from "../compile/definition/segments.ts"
import { toDefinition } from "../compile/definition/validate.ts"
import { toSegment } from "../compile/definition/validate-segment.ts"
import { readBlobs } from "../compile/history/blobs.ts"
import { walkFolder } from "../compile/history/folders.ts"
import type { Inside } from "../compile/history/repository.ts"
import type { Commit, CommitFacts } from "../compile/history/walk.ts"
import {
  isDataPath,
  isFlagSource,
  isSegmentPath,
  projectFileName,
  segmentNameOf,
} from "../compile/read/file-names.ts"
import { isSourcePath } from "../compile/read/read.ts"
import { decodeSource } from "../compile/read/read-source.ts"
import { keyOf } from "../compile/references/other-flags.ts"
import { parseSource } from "../compile/yaml/parse.ts"
import { createReport } from "../diagnostics/diagnostic.ts"
import { namesOf, referencesIn } from "../language/references.ts"
import { blobFiles } from "./commit-files.ts"
import type { ProjectFiles } from "./files.ts"

/** A commit that changed something on which a flag's values may depend, and those files as they were then. */
export interface FlagCommit {
  readonly commit: CommitFacts
  readonly files: ProjectFiles
}

/** The commits of one flag. */
export interface FlagCommits {
  /** Oldest first. */
  readonly commits: readonly FlagCommit[]
  /** The keys of all flags that there ever were. */
  readonly keys: readonly string[]
}

/**
 * Walks the history of a flags folder, as `build` does for the times, and keeps what one flag depends on: the project file, and
 * each path at which there ever was a file of the flag, of a segment, flag, list or schema that it referred to in any version, or
 * that these referred to.
 */
export async function readFlagCommits(key: string, repository: Inside, folder: string): Promise<FlagCommits> {
  const walked = await walkFolder(repository, undefined)
  const versions = await readVersions(walked.commits, repository)
  const needed = neededPaths(flagName(key), versions)
  const ids = new Map<string, string>()
  const commits = walked.commits.flatMap(({ changes, ...commit }): FlagCommit[] => {
    const needs = [...changes].filter(([path]) => path === projectFileName || needed.has(path))
    for (const [path, { after }] of needs)
      if (after === undefined) ids.delete(join(folder, path))
      else ids.set(join(folder, path), after)
    return needs.length === 0 ? [] : [{ commit, files: blobFiles(folder, new Map(ids), versions.blobs) }]
  })
  const isFlag = (name: string) => name.startsWith(flagName(""))
  const keys = [...versions.paths.keys()].filter(isFlag).map((name) => name.slice(flagName("").length))
  return { commits, keys }
}

/** All versions of the files of a flags folder. */
interface Versions {
  /** The paths at which there ever was a flag, segment, list or schema, by its name. */
  readonly paths: ReadonlyMap<string, ReadonlySet<string>>
  /** The ids of the versions of each path. */
  readonly ids: ReadonlyMap<string, ReadonlySet<string>>
  /** The contents, by id. */
  readonly blobs: ReadonlyMap<string, Buffer>
}

const flagName = (key: string) => `flag ${key}`
const segmentName = (name: string) => `segment ${name}`
const dataName = (path: string) => `data ${path}`

async function readVersions(commits: readonly Commit[], { git, top }: Inside): Promise<Versions> {
  const ids = new Map<string, Set<string>>()
  for (const { changes } of commits)
    for (const [path, { after }] of changes)
      if (after !== undefined && (path === projectFileName || isSourcePath(path)))
        ids.set(path, (ids.get(path) ?? new Set()).add(after))
  const blobs = new Map<string, Buffer>()
  const distinct = new Set([...ids.values()].flatMap((versions) => [...versions]))
  await readBlobs(git, top, [...distinct], (id, bytes) => blobs.set(id, Buffer.from(bytes)))
  const paths = new Map<string, Set<string>>()
  for (const [path, versions] of ids)
    for (const id of versions) {
      const name = nameOf(path, blobs.get(id) ?? Buffer.of())
      if (name !== undefined) paths.set(name, (paths.get(name) ?? new Set()).add(path))
    }
  return { paths, ids, blobs }
}

/** The name of the flag, segment, list or schema in a version of a file; `undefined`: there is none. */
function nameOf(path: string, bytes: Buffer): string | undefined {
  if (path === projectFileName) return undefined
  if (isSegmentPath(path)) return segmentName(segmentNameOf(path))
  if (isDataPath(path)) return dataName(path)
  if (!isFlagSource(path)) return undefined
  const report = createReport()
  const source = decodeSource(path, bytes, report)
  return source && flagName(keyOf(source, (file) => parseSource(file, report)))
}

function neededPaths(name: string, { paths, ids, blobs }: Versions): ReadonlySet<string> {
  const needed = new Set<string>()
  const names = new Set([name])
  for (const next of names)
    for (const path of paths.get(next) ?? []) {
      if (needed.has(path)) continue
      needed.add(path)
      for (const id of ids.get(path) ?? [])
        for (const used of namesIn(path, blobs.get(id) ?? Buffer.of())) names.add(used)
    }
  return needed
}

/** The names of what a version of a file refers to. */
function namesIn(path: string, bytes: Buffer): readonly string[] {
  if (isDataPath(path)) return []
  const report = createReport()
  const source = decodeSource(path, bytes, report)
  const file = source && parseSource(source, report)
  const segment = file && isSegmentPath(path) ? toSegment(file) : undefined
  const flag = file && !isSegmentPath(path) ? toDefinition(file, noSegments) : undefined
  const definition = flag ?? (segment && { ...segment, segments: noSegments })
  if (definition === undefined) return []
  const { segments, flags } = namesOf(
    [...wholeConditions(definition)].flatMap(([condition]) => referencesIn(condition)),
  )
  return [
    ...segments.map(segmentName),
    ...flags.map(flagName),
    ...[...dataFilesUsed([definition])].map(dataName),
  ]
}
