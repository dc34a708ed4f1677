import type { Diff } from "./diff.ts"
import type { Endpoint } from "./revisions.ts"

/** What a format is given: the diff, what was compared, and the folder that paths are relative to. */
export interface ComparedRevisions {
  readonly base: Endpoint
  readonly head: Endpoint
  readonly diff: Diff
  readonly cwd: string
}

/** The commit of a side; `null`: the work tree, or nothing. */
export function revisionOf(endpoint: Endpoint): string | null {
  return endpoint.kind === "commit" ? endpoint.revision : null
}
