import { createFolder } from "../../proxy/reload/folder.ts"
import { createSnapshotSource, fixOfSet, type SnapshotSource } from "../../proxy/snapshots/snapshot-source.ts"

/**
 * The snapshots that `dev` builds into a folder. They change only when the proxy is told to reload, together with the
 * keys: a poll between a build and its keys could miss an environment that a key still names.
 */
export function createBuiltSnapshots(directory: string): SnapshotSource {
  const source = createSnapshotSource(createFolder(directory, fixOfSet))
  let version: ReturnType<SnapshotSource["version"]> | undefined
  return {
    ...source,
    version(ask) {
      if (ask.isForced || version === undefined) version = source.version(ask)
      return version
    },
  }
}
