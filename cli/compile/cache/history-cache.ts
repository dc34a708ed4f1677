import type { Project } from "../definition/project.ts"
import { type Checkpoint, noCheckpoint } from "../history/checkpoint.ts"
import type { Meaning, ReferringMeaning } from "../history/configuration-meaning.ts"
import type { SegmentVersion } from "../history/flag-version.ts"
import type { Repository } from "../history/repository.ts"
import { openCacheFolder } from "./cache-folder.ts"

/** Whether a run uses the cache. */
export interface CacheOptions {
  /** `false`: nothing is read from the cache or written to it. */
  readonly cache: boolean
}

/**
 * How far an earlier run has replayed the history of the flags folder. An entry is keyed by what it was made from, so it
 * is never wrong, only absent: without the cache, a build gives the same bytes.
 */
export interface HistoryCache {
  readonly get: () => Checkpoint
  readonly put: (checkpoint: Checkpoint) => void
}

/**
 * Opens the cache. Outside git there is no folder for it, and a shallow clone's history begins at an arbitrary commit, so
 * neither is cached.
 */
export function openHistoryCache(
  project: Project,
  repository: Repository,
  { cache }: CacheOptions,
): HistoryCache {
  if (repository.kind === "outside" || repository.shallow || !cache) return noCache
  const { cacheFolder, prefix } = repository
  const folder = openCacheFolder(cacheFolder, project)
  return {
    get() {
      const text = folder.get("history")?.toString("utf8")
      const written: Written | undefined = text && JSON.parse(text)
      return written?.prefix === prefix ? parseCheckpoint(written) : noCheckpoint
    },
    put(checkpoint) {
      folder.put("history", () => [Buffer.from(writeCheckpoint(checkpoint, prefix))])
    },
  }
}

const noCache: HistoryCache = { get: () => noCheckpoint, put: () => {} }

function parseCheckpoint({ revision, files, versions, times, segments }: Written): Checkpoint {
  return {
    revision,
    files: new Map(files),
    state: {
      files: new Map(
        versions.map(([path, key, definition, defaultValue, configurations]) => [
          path,
          { key, definition, defaultValue, configurations: new Map(configurations) },
        ]),
      ),
      times: new Map(
        times.map(([key, createdAt, updatedAt, defaultAt, configurations]) => {
          return [key, { createdAt, updatedAt, defaultAt, configurations: new Map(configurations) }]
        }),
      ),
      segments: new Map(segments),
    },
  }
}

function writeCheckpoint({ revision, files, state }: Checkpoint, prefix: string): string {
  const written: Written = {
    prefix,
    revision,
    files: [...files],
    versions: [...state.files].map(([path, { key, definition, defaultValue, configurations }]) => [
      path,
      key,
      definition,
      defaultValue,
      [...configurations],
    ]),
    times: [...state.times].map(([key, { createdAt, updatedAt, defaultAt, configurations }]) => {
      return [key, createdAt, updatedAt, defaultAt, [...configurations]]
    }),
    segments: [...state.segments],
  }
  return JSON.stringify(written)
}

/** A checkpoint as JSON. */
interface Written {
  readonly prefix: string
  readonly revision: string | undefined
  readonly files: readonly (readonly [path: string, blob: string])[]
  readonly versions: readonly (readonly [
    path: string,
    key: string,
    definition: string,
    defaultValue: string,
    configurations: readonly (readonly [environment: string, meaning: Meaning | ReferringMeaning])[],
  ])[]
  readonly times: readonly (readonly [
    key: string,
    createdAt: number,
    updatedAt: number,
    defaultAt: number,
    configurations: readonly (readonly [environment: string, at: number])[],
  ])[]
  readonly segments: readonly (readonly [path: string, version: SegmentVersion])[]
}
