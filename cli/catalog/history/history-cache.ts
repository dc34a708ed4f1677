import { openCacheFolder } from "../../compile/cache/cache-folder.ts"
import type { Project } from "../../compile/definition/project.ts"
import type { Inside } from "../../compile/history/repository.ts"
import type { DescribedCommit } from "./described-commit.ts"
import type { FolderState } from "./flag-line.ts"

/** The history up to a commit. */
export interface DescribedHistory {
  readonly revision: string
  readonly state: FolderState
  readonly commits: readonly DescribedCommit[]
}

/** The history that an earlier run has described, in git's own folder, where builds leave their cache. */
export interface HistoryCache {
  readonly get: () => DescribedHistory | undefined
  readonly put: (history: DescribedHistory) => void
}

/** The history of a shallow clone begins at an arbitrary commit, so it is not cached. */
export function openHistoryCache(
  { cacheFolder, prefix, shallow }: Inside,
  project: Project,
  isWanted: boolean,
): HistoryCache {
  if (shallow || !isWanted) return { get: () => undefined, put: () => {} }
  const folder = openCacheFolder(cacheFolder, project)
  return {
    get() {
      const text = folder.get("sentences")?.toString("utf8")
      const written: Written | undefined = text && JSON.parse(text)
      return written?.prefix === prefix ? written : undefined
    },
    put(history) {
      const written: Written = { prefix, ...history }
      folder.put("sentences", () => [Buffer.from(JSON.stringify(written))])
    },
  }
}

interface Written extends DescribedHistory {
  /** Where the flags folder is in the repository. */
  readonly prefix: string
}
