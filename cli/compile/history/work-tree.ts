import { compareText } from "../../diagnostics/diagnostic.ts"
import { blobId } from "../definition/blob-id.ts"
import { type FlagFile, isFlagPath, pathFrom, projectFileName } from "../definition/read.ts"

/** How the files that are compiled differ from those of the commit. Paths are from the flags folder. */
export interface WorkTree {
  /** By path, the blob that the commit has of a file that is compiled as it was committed. */
  readonly committed: ReadonlyMap<string, string>
  /** What was added, changed or removed since, sorted. */
  readonly uncommitted: readonly string[]
}

/**
 * Compares by content, as `git status` would. That one trusts the index, and would run the filters that the
 * repository's attributes name and the user's configuration defines; this runs nothing.
 */
export function compareWorkTree(
  sources: readonly FlagFile[],
  folder: string,
  files: ReadonlyMap<string, string>,
  algorithm: "sha1" | "sha256",
): WorkTree {
  const committed = new Map<string, string>()
  const uncommitted: string[] = []
  for (const { source, blob: own } of sources) {
    const path = pathFrom(folder, source.path)
    const blob = files.get(path)
    if (blob !== undefined && (blob === own || isRewritten(blob, source.text, algorithm)))
      committed.set(path, blob)
    else uncommitted.push(path)
  }
  const seen = new Set([...committed.keys(), ...uncommitted])
  for (const path of files.keys()) {
    if ((isFlagPath(path) || path === projectFileName) && !seen.has(path)) uncommitted.push(path)
  }
  return { committed, uncommitted: uncommitted.sort(compareText) }
}

/**
 * Whether a text that differs from a blob has its meaning. Decoding took the byte order mark away, and a check-out may
 * have turned LF into CRLF (`core.autocrlf`, `eol=crlf`); neither has a meaning in YAML (YAML 1.2.2, 5.2 and 5.4).
 */
function isRewritten(blob: string, text: string, algorithm: "sha1" | "sha256"): boolean {
  const lines = text.replaceAll("\r\n", "\n")
  return [lines, `\ufeff${text}`, `\ufeff${lines}`].some((other) => blobId(other, algorithm) === blob)
}
