import type { Project } from "../reading/project.ts"
import type { Repository } from "./repository.ts"
import { emptyState, type TimelineState } from "./timeline.ts"

/**
 * The history of the flags folder, replayed up to a commit. A commit's id determines everything before it, so a later
 * build replays only what came after.
 */
export interface Checkpoint {
  /** The commit; `undefined` before the first one. */
  readonly revision: string | undefined
  /** The blobs of that commit's project file and of its sources that are not ignored, by path. */
  readonly files: ReadonlyMap<string, string>
  readonly state: TimelineState
}

/** Nothing has been replayed. */
export const noCheckpoint: Checkpoint = { revision: undefined, files: new Map(), state: emptyState }

/** A checkpoint, and what was made of the history up to it. */
export interface CachedHistory<Made> extends Checkpoint {
  readonly made?: Made
}

/**
 * What a build leaves in memory for the next one of the same folder, so that who saves a flag while `dev` runs does not wait
 * for the whole history again. Without it, a build gives the same bytes.
 */
export interface HistoryCache<Made = unknown> {
  readonly get: (project: Project, repository: Repository) => CachedHistory<Made>
  readonly put: (project: Project, history: CachedHistory<Made>) => void
}

export function createHistoryCache<Made = unknown>(): HistoryCache<Made> {
  let text = ""
  let cached: CachedHistory<Made> = noCheckpoint
  return {
    get(project, repository) {
      // A clone that became shallow has other times, and old versions are read with today's project file.
      const isUsable = repository.kind === "inside" && !repository.shallow && project.source.text === text
      return isUsable ? cached : noCheckpoint
    },
    put(project, history) {
      text = project.source.text
      cached = history
    },
  }
}
