import type { Git } from "../../git.ts"
import type { MemoryFolder } from "../cache/cache-folder.ts"
import { projectFileName } from "../definition/read.ts"
import { type Line, noLine, recallLine } from "./history-cache.ts"
import type { Inside } from "./repository.ts"
import { type Change, type Commit, filesAfter, readCommits, walk, walkSince } from "./walk.ts"

/** What is known of the flags folder's first-parent line, and the commits after that, oldest first. */
export interface Walked {
  readonly from: Line
  readonly commits: readonly Commit[]
}

/**
 * Walks the flags folder's first-parent line, through all the places at which the folder has been.
 *
 * A flags folder is known by its project file. Where a commit brought that file, and in the same commit another
 * project file went away together with some of the very files that came, the folder was moved, and its history before
 * that commit is the other folder's. So the usual history costs one walk below one path and a look at the commits that
 * brought the project file; to walk over all that ever was in the repository would be slow in a large one.
 */
export async function walkFolder(git: Git, repository: Inside, memory: MemoryFolder): Promise<Walked> {
  const { top, revision, prefix } = repository
  const last = recallLine(memory, repository)
  const since =
    last.revision === undefined ? undefined : await walkSince(git, top, last.revision, revision, prefix)
  if (since !== undefined && !since.some(bringsProject)) return { from: last, commits: since }
  return { from: noLine, commits: await walkFrom(git, top, revision, prefix) }
}

async function walkFrom(git: Git, top: string, tip: string, prefix: string): Promise<readonly Commit[]> {
  const commits = await walk(git, top, tip, prefix)
  const move = await findMove(git, top, prefix, commits)
  if (move === undefined) return commits
  const earlier = await walkFrom(git, top, move.parent, move.from)
  const changes = new Map<string, Change>()
  for (const [path, before] of filesAfter(earlier)) changes.set(path, { before, after: undefined })
  for (const [path, after] of filesAfter(commits.slice(0, move.at + 1))) {
    changes.set(path, { before: changes.get(path)?.before, after })
  }
  return [...earlier, { ...move.commit, changes }, ...commits.slice(move.at + 1)]
}

interface Move {
  readonly commit: Commit
  /** The commit's place among the others. */
  readonly at: number
  readonly parent: string
  /** Where the folder was before. */
  readonly from: string
}

/** The newest move of a folder to its place. */
async function findMove(
  git: Git,
  top: string,
  prefix: string,
  commits: readonly Commit[],
): Promise<Move | undefined> {
  const arrivals = commits.flatMap((commit, at) => {
    return bringsProject(commit) && commit.parent !== undefined ? [{ commit, at, parent: commit.parent }] : []
  })
  if (arrivals.length === 0) return undefined
  const ids = arrivals.map(({ commit }) => commit.id)
  const wholes = new Map((await readCommits(git, top, ids)).map((whole) => [whole.id, whole]))
  for (const arrival of arrivals.toReversed()) {
    const from = originOf(prefix, wholes.get(arrival.commit.id)?.changes ?? new Map())
    if (from !== undefined) return { ...arrival, from }
  }
  return undefined
}

function bringsProject({ changes }: Commit): boolean {
  const project = changes.get(projectFileName)
  return project !== undefined && project.before === undefined && project.after !== undefined
}

/** The folder from which most of what a commit brought below `prefix` came; `undefined`: from no flags folder. */
function originOf(prefix: string, changes: ReadonlyMap<string, Change>): string | undefined {
  const came = new Set<string>()
  for (const [path, { before, after }] of changes) {
    if (before === undefined && after !== undefined && path.startsWith(prefix)) came.add(after)
  }
  const gone = [...changes].filter(([, { before, after }]) => before !== undefined && after === undefined)
  const candidates = gone
    .map(([path]) => path)
    .filter((path) => path === projectFileName || path.endsWith(`/${projectFileName}`))
    .map((path) => path.slice(0, -projectFileName.length))
    .map((folder) => {
      const moved = gone.filter(([path, { before = "" }]) => path.startsWith(folder) && came.has(before))
      return { folder, moved: moved.length }
    })
    .filter(({ moved }) => moved > 0)
  const most = Math.max(...candidates.map(({ moved }) => moved))
  return candidates.find(({ moved }) => moved === most)?.folder
}
