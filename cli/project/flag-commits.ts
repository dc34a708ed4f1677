import { readBlobs } from "../compile/history/blobs.ts"
import { walkFolder } from "../compile/history/folders.ts"
import { ofProject } from "../compile/history/git-history.ts"
import type { Inside } from "../compile/history/repository.ts"
import { type CommitFacts, filesAfter } from "../compile/history/walk.ts"
import { isFlagSource, projectFileName } from "../compile/read/file-names.ts"
import { decodeSource } from "../compile/read/read-source.ts"
import { mightName, nameIn } from "../compile/references/might-name.ts"
import { keyOf } from "../compile/references/other-flags.ts"
import { parseSource } from "../compile/yaml/parse.ts"
import { createReport } from "../diagnostics/diagnostic.ts"
import { blobFiles } from "./commit-files.ts"
import type { ProjectFiles } from "./files.ts"

/** A commit that changed something on which a flag's values may depend, and those files as they were then. */
export interface FlagCommit {
  readonly commit: CommitFacts
  readonly files: ProjectFiles
}

/** The commits of one flag. */
export interface FlagCommits {
  /** Oldest first. */
  readonly commits: readonly FlagCommit[]
  /** The keys of all flags that there ever were. */
  readonly keys: readonly string[]
}

/** What there ever was at a path: the texts, and the names by which other files refer to them. */
interface PathVersions {
  texts: string
  readonly names: Set<string>
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
  const versions = new Map<string, PathVersions>()
  for (const { changes } of commits)
    for (const [path, { after = "" }] of changes) addVersion(versions, path, blobs.get(after))
  const needed = neededPaths(key, versions)
  let files: ReadonlyMap<string, string> = new Map()
  return {
    commits: commits.flatMap(({ changes, ...commit }): FlagCommit[] => {
      const needs = new Map([...changes].filter(([path]) => needed.has(path)))
      if (needs.size === 0) return []
      files = filesAfter([{ changes: needs }], files)
      return [{ commit, files: blobFiles(folder, files, blobs) }]
    }),
    keys: [...versions].flatMap(([path, { names }]) => (isFlagPath(path) ? [...names] : [])),
  }
}

function addVersion(versions: Map<string, PathVersions>, path: string, bytes: Buffer | undefined): void {
  const report = createReport() // `build` has reported it
  const source = bytes && decodeSource(path, bytes, report)
  if (source === undefined) return
  const known = versions.get(path) ?? { texts: "", names: new Set<string>() }
  known.texts += `${source.text}\n`
  known.names.add(isFlagPath(path) ? keyOf(source, (file) => parseSource(file, report)) : nameIn(path))
  versions.set(path, known)
}

function neededPaths(key: string, versions: ReadonlyMap<string, PathVersions>): ReadonlySet<string> {
  const flag = [...versions].filter(([, { names }]) => names.has(key))
  const needed = new Set([projectFileName, ...flag.map(([path]) => path)])
  for (const path of needed) {
    const { texts = "" } = versions.get(path) ?? {}
    for (const [named, { names }] of versions) if (mightName(texts, names)) needed.add(named)
  }
  return needed
}

function isFlagPath(path: string): boolean {
  return path !== projectFileName && isFlagSource(path)
}
