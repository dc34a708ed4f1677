import { hash } from "node:crypto"
import { openCacheFolder } from "../../compile/cache/cache-folder.ts"
import type { Project } from "../../compile/definition/project.ts"
import type { Inside } from "../../compile/history/repository.ts"
import type { CatalogHistory } from "./catalog-history.ts"

/** The history up to a commit. */
export interface Remembered {
  readonly revision: string
  /** The blob of every file below the flags folder in that commit, by path. */
  readonly files: readonly (readonly [path: string, blob: string])[]
  /** Where some cannot be read: the flag files and segment files, in the newest versions that can. */
  readonly readable?: readonly (readonly [path: string, blob: string])[] | undefined
  readonly history: CatalogHistory
}

/** What an earlier run has found, in git's own folder, as builds leave their cache there. */
export interface RememberedHistory {
  readonly get: () => Remembered | undefined
  /** Whether anything is there; it may be damaged. */
  readonly has: () => boolean
  readonly put: (history: Remembered) => void
}

/** A shallow clone begins at an arbitrary commit, so its history is not remembered. */
export function rememberHistory(
  { cacheFolder, prefix, shallow }: Inside,
  project: Project,
  isWanted: boolean,
): RememberedHistory {
  if (shallow || !isWanted) return { get: () => undefined, has: () => false, put: () => {} }
  const folder = openCacheFolder(cacheFolder, project)
  const key = hash("sha256", prefix)
  return {
    get() {
      const text = folder.get("sentences", key)?.toString("utf8")
      return text === undefined ? undefined : JSON.parse(text)
    },
    has: () => folder.has("sentences", key),
    put: (history) => folder.put("sentences", () => [Buffer.from(JSON.stringify(history))], key),
  }
}
