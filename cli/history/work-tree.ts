import { compareText } from "../diagnostics/diagnostic.ts"
import { blobId } from "../reading/files/blob-id.ts"
import type { FlagFile } from "../reading/files/flag-file.ts"
import { pathFrom } from "../reading/files/read.ts"

/** How the compiled files differ from those of the commit. Paths are relative to the flags folder. */
export interface WorkTreeChanges {
  /** The files that are compiled as they were committed: the commit's blob by path. */
  readonly committed: ReadonlyMap<string, string>
  /** The files that were added, changed or removed since, sorted. */
  readonly uncommitted: readonly string[]
}

/**
 * Compares by content, as `git status` would. But `git status` trusts the index, and runs the filters that the
 * repository's attributes name and the user's configuration defines. This runs nothing.
 */
export function compareWorkTree(
  sources: readonly FlagFile[],
  folder: string,
  files: ReadonlyMap<string, string>,
  algorithm: "sha1" | "sha256",
): WorkTreeChanges {
  const committed = new Map<string, string>()
  const uncommitted: string[] = []
  for (const { source, blob: own } of sources) {
    const path = pathFrom(folder, source.path)
    const blob = files.get(path)
    if (blob !== undefined && (blob === own || isRewritten(blob, source.text, algorithm)))
      committed.set(path, blob)
    else uncommitted.push(path)
  }
  const changed = new Set(uncommitted)
  for (const path of files.keys()) {
    if (!committed.has(path) && !changed.has(path)) uncommitted.push(path)
  }
  return { committed, uncommitted: uncommitted.sort(compareText) }
}

/**
 * Whether a text differs from a blob only in ways that YAML ignores (YAML 1.2.2, 5.2 and 5.4): decoding removes the byte
 * order mark, and a checkout may turn LF into CRLF (`core.autocrlf`, `eol=crlf`).
 */
function isRewritten(blob: string, text: string, algorithm: "sha1" | "sha256"): boolean {
  const lines = text.replaceAll("\r\n", "\n")
  return [lines, `\ufeff${text}`, `\ufeff${lines}`].some((other) => blobId(other, algorithm) === blob)
}
