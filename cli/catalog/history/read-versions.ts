import type { Project } from "../../compile/definition/project.ts"
import { readBlobs } from "../../compile/history/blobs.ts"
import { readOldFlag } from "../../compile/history/old-version.ts"
import type { Inside } from "../../compile/history/repository.ts"
import { writeFlag } from "../../compile/meaning/compiled-flag.ts"
import { isSegmentPath, keyOfFile } from "../../compile/read/file-names.ts"
import type { FlagFile } from "../../compile/read/flag-file.ts"
import { identityOf } from "../../compile/read/flag-file.ts"
import { type KeptVersion, keepVersion } from "../versions/kept-version.ts"
import type { ReadVersions } from "./meanings.ts"
import { type Changes, changesSegments, type Files, isOfProject } from "./readable-files.ts"

/** What is to be read, and what is known of it. */
export interface VersionsRequest {
  readonly repository: Inside
  readonly project: Project
  /** The flag files and segment files of the work tree. */
  readonly files: readonly FlagFile[]
  /** By `identityOf`; what is read is added. */
  readonly known: Map<string, KeptVersion | undefined>
}

/**
 * Reads all versions that are compared in some changes after `start`: first in the work tree, else in git. Where segments
 * changed, these are of every file, because any may use them.
 */
export async function readVersions(
  start: Files,
  all: readonly Changes[],
  { repository, project, files, known }: VersionsRequest,
): Promise<ReadVersions> {
  const texts = new Map(files.map(({ blob, source }) => [blob, source.text]))
  const segments = new Map<string, Uint8Array>()
  const wanted = new Map<string, Map<string, string>>()
  const take = (blob: string, path: string, bytes: Uint8Array) => {
    if (isSegmentPath(path)) {
      segments.set(blob, bytes)
      return
    }
    const flag = readOldFlag(bytes, path, project)
    known.set(identityOf(blob, path), flag && keepVersion(flag, writeFlag(flag)))
  }
  const want = (path: string, blob: string | undefined) => {
    if (blob === undefined || !isOfProject(path, project)) return
    if (isSegmentPath(path) ? segments.has(blob) : known.has(identityOf(blob, path))) return
    const text = texts.get(blob)
    if (text !== undefined) return take(blob, path, Buffer.from(text))
    const paths = wanted.get(blob) ?? new Map<string, string>()
    wanted.set(blob, paths.set(keyOfFile(path), path))
  }
  const hasSegments = all.some((changes) => changesSegments([...changes.keys()]))
  for (const [path, blob] of start) if (hasSegments || isSegmentPath(path)) want(path, blob)
  for (const changes of all)
    for (const [path, { after }] of changes) {
      want(path, start.get(path))
      want(path, after)
    }
  await readBlobs(repository.git, repository.top, [...wanted.keys()], (blob, bytes) => {
    for (const path of wanted.get(blob)?.values() ?? []) take(blob, path, Buffer.from(bytes))
  })
  return { flags: known, segments }
}
