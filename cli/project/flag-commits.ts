import { createReport, type SourceFile } from "../diagnostics/diagnostic.ts"
import { mightName, nameIn } from "../flag/might-name.ts"
import { keyOf } from "../flag/other-flags.ts"
import { readBlobs } from "../history/blobs.ts"
import { walkFolder } from "../history/folders.ts"
import { ofProject } from "../history/git-history.ts"
import type { Inside } from "../history/repository.ts"
import { type CommitFacts, filesAfter } from "../history/walk.ts"
import { isFlagSource, projectFileName } from "../reading/files/file-names.ts"
import { pathFrom } from "../reading/files/read.ts"
import { decodeSource } from "../reading/files/read-source.ts"
import { blobFiles } from "./commit-files.ts"
import { folderFiles, type ProjectFiles } from "./files.ts"

/** A commit that may have changed a flag's values. */
export interface FlagCommit {
  /** `undefined`: the work tree. */
  readonly commit: CommitFacts | undefined
  /** The files on which the values may depend, as they were then. */
  readonly files: ProjectFiles
}

/** The commits of one flag. */
export interface FlagCommits {
  /** Oldest first, and last the work tree. */
  readonly commits: readonly FlagCommit[]
  /** The keys of all flags that there ever were. */
  readonly keys: readonly string[]
}

/**
 * Walks the history of a flags folder, as `build` does for the times, and keeps what one flag may depend on: the project file,
 * each path at which the flag ever was, and each that any version of these files may name.
 */
export async function readFlagCommits(key: string, repository: Inside, folder: string): Promise<FlagCommits> {
  const walked = await walkFolder(repository, undefined)
  const commits = walked.commits.map((commit) => {
    return { ...commit, changes: ofProject(commit.changes, { ignores: () => false }) }
  })
  const blobs = new Map<string, Buffer>()
  const changed = commits.flatMap(({ changes }) => [...changes.values()])
  const ids = new Set(changed.flatMap(({ after }) => after ?? []))
  await readBlobs(repository.git, repository.top, [...ids], (id, bytes) => blobs.set(id, Buffer.from(bytes)))
  const report = createReport() // what `build` reports
  const workTree = folderFiles(folder)
  const texts = createTexts()
  for (const { changes } of commits)
    for (const [path, { after = "" }] of changes) {
      const bytes = blobs.get(after)
      texts.add(path, bytes && decodeSource(path, bytes, report))
    }
  for (const source of workTree.sources(() => false, report)) texts.add(pathFrom(folder, source.path), source)
  const needed = texts.neededBy(key)
  let files: ReadonlyMap<string, string> = new Map()
  const steps = commits.flatMap(({ changes, ...commit }): FlagCommit[] => {
    const needs = new Map([...changes].filter(([path]) => needed.has(path)))
    if (needs.size === 0) return []
    files = filesAfter([{ changes: needs }], files)
    return [{ commit, files: blobFiles(folder, files, blobs) }]
  })
  const isNeeded = ({ path }: SourceFile) => needed.has(pathFrom(folder, path))
  const sources: ProjectFiles["sources"] = (...args) => workTree.sources(...args).filter(isNeeded)
  return { commits: [...steps, { commit: undefined, files: { ...workTree, sources } }], keys: texts.keys() }
}

/** The texts that there ever were at each path, with the names by which other files refer to them. */
function createTexts() {
  const paths = new Map<string, { text: string; readonly names: Set<string> }>()
  return {
    add(path: string, source: SourceFile | undefined) {
      if (source === undefined) return
      const known = paths.get(path) ?? { text: "", names: new Set() }
      known.text += `${source.text}\n`
      known.names.add(isFlagPath(path) ? keyOf(source) : nameIn(path))
      paths.set(path, known)
    },
    neededBy(key: string): ReadonlySet<string> {
      const flag = [...paths].filter(([, { names }]) => names.has(key))
      const needed = new Set([projectFileName, ...flag.map(([path]) => path)])
      for (const path of needed) {
        const { text = "" } = paths.get(path) ?? {}
        for (const [named, { names }] of paths) if (mightName(text, names)) needed.add(named)
      }
      return needed
    },
    keys: () => [...paths].flatMap(([path, { names }]) => (isFlagPath(path) ? [...names] : [])),
  }
}

function isFlagPath(path: string): boolean {
  return path !== projectFileName && isFlagSource(path)
}
