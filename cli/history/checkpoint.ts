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
