import type { Project } from "../../compile/definition/project.ts"
import type { FileChange } from "../../compile/history/walk.ts"
import { isSegmentPath, keyOfFile } from "../../compile/read/file-names.ts"
import { isSourcePath } from "../../compile/read/read.ts"

/** The files below the flags folder at one moment: the blob by path. */
export type Files = ReadonlyMap<string, string>

/** What a commit changed, by path. */
export type Changes = ReadonlyMap<string, FileChange>

/** Whether a file may be a flag or a segment of the project; the path is given from the flags folder. */
export function isOfProject(path: string, { ignores }: Pick<Project, "ignores">): boolean {
  return isSourcePath(path) && !ignores(path)
}

/**
 * Follows the flag files and segment files from commit to commit, each in the newest version that can be read, as times do:
 * a version that cannot be read changes nothing, and a file that the same commit moved keeps what it said at its old path.
 */
export function followFiles(
  start: Files,
  project: Pick<Project, "ignores">,
  isReadable: (path: string, blob: string) => boolean,
) {
  const files = new Map([...start].filter(([path]) => isOfProject(path, project)))

  function lastReadable(path: string, changes: Changes, before: Files): string | undefined {
    const own = before.get(path)
    if (own !== undefined) return own
    const moved = [...changes].find(([other, { after }]) => {
      return after === undefined && keyOfFile(other) === keyOfFile(path) && before.has(other)
    })
    return moved && before.get(moved[0])
  }

  return {
    /** After the last commit that was applied. */
    files: files as Files,
    /** The paths of the project that a commit changes. */
    touched: (changes: Changes): readonly string[] =>
      [...changes.keys()].filter((path) => isOfProject(path, project)),
    /** Goes on to the next commit, which touches these paths. */
    apply(changes: Changes, paths: readonly string[]): void {
      const next = paths.map((path) => {
        const after = changes.get(path)?.after
        return after !== undefined && !isReadable(path, after) ? lastReadable(path, changes, files) : after
      })
      for (const [at, path] of paths.entries()) {
        const blob = next[at]
        if (blob === undefined) files.delete(path)
        else files.set(path, blob)
      }
    },
  }
}

/** Whether a commit changes a segment. */
export function changesSegments(touched: readonly string[]): boolean {
  return touched.some(isSegmentPath)
}
