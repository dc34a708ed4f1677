import { projectFileName } from "../reading/files/file-names.ts"
import type { Inside } from "./repository.ts"
import { type Commit, type FileChange, filesAfter, readCommits, walk, walkSince } from "./walk.ts"

/** The commits of the flags folder, oldest first. */
export interface FolderHistory {
  /** Whether these are only the commits after the known one; otherwise they are all. */
  readonly isRest: boolean
  readonly commits: readonly Commit[]
}

/**
 * Walks the flags folder's first-parent line, through all paths that the folder has had. Continues from the commit `known`
 * if that is on the line and the folder has not moved since.
 *
 * A flags folder is recognized by its project file. If a commit adds that file and removes another project file together
 * with some of the added files, the folder was moved, and its history before that commit is the other folder's. So most
 * histories need one walk below one path and a read of the commits that add the project file; walking a large repository
 * as a whole would be slow.
 */
export async function walkFolder(repository: Inside, known: string | undefined): Promise<FolderHistory> {
  const since = known === undefined ? undefined : await walkSince(repository, known)
  if (since !== undefined && !since.some(addsProject)) return { isRest: true, commits: since }
  return { isRest: false, commits: await walkThroughMoves(repository, repository) }
}

/** The commits up to `revision` of the folder that is at `prefix` in that revision. */
async function walkThroughMoves(
  repository: Inside,
  { revision, prefix }: Pick<Inside, "revision" | "prefix">,
): Promise<readonly Commit[]> {
  const commits = await walk(repository, revision, prefix)
  const move = await findMove(repository, prefix, commits)
  if (move === undefined) return commits
  const earlier = await walkThroughMoves(repository, { revision: move.parent, prefix: move.from })
  const changes = new Map<string, FileChange>()
  for (const [path, before] of filesAfter(earlier)) changes.set(path, { before, after: undefined })
  for (const [path, after] of filesAfter(commits.slice(0, move.at + 1))) {
    changes.set(path, { before: changes.get(path)?.before, after })
  }
  return [...earlier, { ...move.commit, changes }, ...commits.slice(move.at + 1)]
}

interface FolderMove {
  readonly commit: Commit
  /** The commit's index. */
  readonly at: number
  readonly parent: string
  /** The folder's path before the move. */
  readonly from: string
}

/** The newest move of a folder to its path. */
async function findMove(
  repository: Inside,
  prefix: string,
  commits: readonly Commit[],
): Promise<FolderMove | undefined> {
  const arrivals = commits.flatMap((commit, at) => {
    return addsProject(commit) && commit.parent !== undefined ? [{ commit, at, parent: commit.parent }] : []
  })
  if (arrivals.length === 0) return undefined
  const ids = arrivals.map(({ commit }) => commit.id)
  const complete = new Map((await readCommits(repository, ids)).map((commit) => [commit.id, commit]))
  for (const arrival of arrivals.toReversed()) {
    const from = originOf(prefix, complete.get(arrival.commit.id)?.changes ?? new Map())
    if (from !== undefined) return { ...arrival, from }
  }
  return undefined
}

function addsProject({ changes }: Commit): boolean {
  const project = changes.get(projectFileName)
  return project !== undefined && project.before === undefined && project.after !== undefined
}

/** The flags folder that most of the files added below `prefix` came from, if there is one. */
function originOf(prefix: string, changes: ReadonlyMap<string, FileChange>): string | undefined {
  const added = new Set<string>()
  for (const [path, { before, after }] of changes) {
    if (before === undefined && after !== undefined && path.startsWith(prefix)) added.add(after)
  }
  const removed = [...changes].filter(([, { before, after }]) => before !== undefined && after === undefined)
  const candidates = removed
    .map(([path]) => path)
    .filter((path) => path === projectFileName || path.endsWith(`/${projectFileName}`))
    .map((path) => path.slice(0, -projectFileName.length))
    .map((folder) => {
      const moved = removed.filter(([path, { before = "" }]) => path.startsWith(folder) && added.has(before))
      return { folder, moved: moved.length }
    })
    .filter(({ moved }) => moved > 0)
  const most = Math.max(...candidates.map(({ moved }) => moved))
  return candidates.find(({ moved }) => moved === most)?.folder
}
