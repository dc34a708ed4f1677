import type { Report } from "../../diagnostics/diagnostic.ts"
import type { Project } from "../definition/project.ts"
import type { Segments } from "../definition/segments.ts"
import { type Checkpoint, noCheckpoint } from "../history/checkpoint.ts"
import type { CompiledFiles } from "../history/compiled-files.ts"
import type { Repository } from "../history/repository.ts"
import type { CompiledFlag } from "../meaning/compiled-flag.ts"
import type { FlagFile } from "../read/flag-file.ts"
import { openCacheFolder } from "./cache-folder.ts"
import { openFlagCache } from "./flag-cache.ts"
import { openHistoryCache } from "./history-cache.ts"

/** Whether a run uses the cache. */
export interface CacheOptions {
  /** `false`: nothing is read from the cache or written to it. */
  readonly cache: boolean
}

/**
 * What runs leave for later runs. Everything is keyed by the content that it was made from, so an entry is never wrong,
 * only absent. Without the cache, a build gives the same bytes.
 */
export interface Cache {
  readonly getFlag: (file: FlagFile, segments: Segments) => CompiledFlag | undefined
  /** How far an earlier run has replayed the history. */
  readonly getCheckpoint: () => Checkpoint
  /** Writes the meanings of files, except those with diagnostics, which the next run must report again. */
  readonly putFiles: (compiled: CompiledFiles, report: Report) => void
}

/** Opens the cache. Outside git there is no folder for it, and nothing is cached. */
export function openCache(project: Project, repository: Repository, options: CacheOptions): Cache {
  if (repository.kind === "outside" || !options.cache) return noCache
  const folder = openCacheFolder(repository.cacheFolder, project)
  const flagCache = openFlagCache(folder)
  const histories = openHistoryCache(folder, repository)
  return {
    getFlag: flagCache.get,
    getCheckpoint: histories.get,
    putFiles({ flags, segments, history }, { diagnostics }) {
      const reported = new Set(diagnostics.map(({ location }) => location.source.path))
      const unreported = flags.filter(({ source }) => !reported.has(source.path))
      flagCache.put(unreported, segments)
      if (history.checkpoint !== undefined) histories.put(history.checkpoint)
    },
  }
}

const noCache: Cache = {
  getFlag: () => undefined,
  getCheckpoint: () => noCheckpoint,
  putFiles: () => {},
}
