import { keyOfFile } from "../reading/files/file-names.ts"

/**
 * The content of changed files from a revision on, by path; `undefined`: the file is removed. A version that cannot be
 * read changes nothing: the file keeps its earlier content, or that of the path from which the same revision moved it.
 */
export function readableChanges<Version>(
  changes: ReadonlyMap<string, Version | "unreadable" | undefined>,
  filesBefore: ReadonlyMap<string, Version>,
): ReadonlyMap<string, Version | undefined> {
  const lastReadable = (path: string): Version | undefined => {
    const own = filesBefore.get(path)
    if (own !== undefined) return own
    const moved = [...changes].find(([other, version]) => {
      return version === undefined && keyOfFile(other) === keyOfFile(path) && filesBefore.has(other)
    })
    return moved && filesBefore.get(moved[0])
  }
  const readable = new Map<string, Version | undefined>()
  for (const [path, version] of changes)
    readable.set(path, version === "unreadable" ? lastReadable(path) : version)
  return readable
}
