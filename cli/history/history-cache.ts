import type { Project } from "../reading/project.ts"
import { openCacheFolder } from "./cache-folder.ts"
import { type Checkpoint, noCheckpoint } from "./checkpoint.ts"
import type { Meaning, ReferringMeaning } from "./configuration-meaning.ts"
import type { SegmentVersion } from "./flag-version.ts"
import type { Repository } from "./repository.ts"

/** Whether a run uses the cache. */
export interface CacheOptions {
  /** `false`: nothing is read from the cache or written to it. */
  readonly cache: boolean
}

/**
 * How far an earlier run has replayed the history of the flags folder, and what it made of it. An entry is keyed by what
 * it was made from, so it is never wrong, only absent: without the cache, a run gives the same bytes.
 */
export interface HistoryCache<Made = unknown> {
  readonly get: () => CachedHistory<Made>
  readonly put: (history: CachedHistory<Made>) => void
}

/** A checkpoint, and what a command made of the history up to it, as JSON. */
export interface CachedHistory<Made> extends Checkpoint {
  readonly made?: Made
}

/**
 * Opens the cache. Outside git there is no folder for it, and a shallow clone's history begins at an arbitrary commit, so
 * neither is cached.
 */
export function openHistoryCache<Made = unknown>(
  name: "history" | "sentences",
  project: Project,
  repository: Repository,
  { cache }: CacheOptions,
): HistoryCache<Made> {
  if (repository.kind === "outside" || repository.shallow || !cache) return noCache
  const { cacheFolder, prefix } = repository
  const folder = openCacheFolder(cacheFolder, project)
  return {
    get() {
      const text = folder.get(name)?.toString("utf8")
      const written: Written<Made> | undefined = text && JSON.parse(text)
      return written?.prefix === prefix ? parseHistory(written) : noCheckpoint
    },
    put(history) {
      folder.put(name, () => [Buffer.from(writeHistory(history, prefix))])
    },
  }
}

const noCache = { get: () => noCheckpoint, put: () => {} }

function parseHistory<Made>({
  revision,
  files,
  versions,
  times,
  segments,
  made,
}: Written<Made>): CachedHistory<Made> {
  return {
    revision,
    files: new Map(files),
    state: {
      files: new Map(
        versions.map(([path, blob, key, definition, defaultValue, configurations]) => [
          path,
          { path, blob, key, definition, defaultValue, configurations: new Map(configurations) },
        ]),
      ),
      times: new Map(
        times.map(([key, createdAt, updatedAt, defaultAt, configurations]) => {
          return [key, { createdAt, updatedAt, defaultAt, configurations: new Map(configurations) }]
        }),
      ),
      segments: new Map(segments),
    },
    ...(made !== undefined && { made }),
  }
}

function writeHistory<Made>({ revision, files, state, made }: CachedHistory<Made>, prefix: string): string {
  const written: Written<Made> = {
    prefix,
    revision,
    files: [...files],
    versions: [...state.files].map(([path, { blob, key, definition, defaultValue, configurations }]) => [
      path,
      blob,
      key,
      definition,
      defaultValue,
      [...configurations],
    ]),
    times: [...state.times].map(([key, { createdAt, updatedAt, defaultAt, configurations }]) => {
      return [key, createdAt, updatedAt, defaultAt, [...configurations]]
    }),
    segments: [...state.segments],
    made,
  }
  return JSON.stringify(written)
}

/** A cached history as JSON. */
interface Written<Made> {
  readonly prefix: string
  readonly revision: string | undefined
  readonly files: readonly (readonly [path: string, blob: string])[]
  readonly versions: readonly (readonly [
    path: string,
    blob: string,
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
  readonly made: Made | undefined
}
