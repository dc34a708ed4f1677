import { join } from "node:path"
import type { CompileExpression } from "../../../sdk/evaluation/expression.ts"
import type { FlagFile } from "../../compile/definition/flag-file.ts"
import type { Project } from "../../compile/definition/project.ts"
import { isFlagPath, isSourcePath } from "../../compile/definition/read.ts"
import type { Inside } from "../../compile/history/repository.ts"
import { type FileChange, filesAfter } from "../../compile/history/walk.ts"
import { compareWorkTree } from "../../compile/history/work-tree.ts"
import type { ResolvedFlag } from "../../compile/meaning/resolve.ts"
import type { CatalogCommit, CatalogHistory } from "./catalog-history.ts"
import { changesBetween } from "./changes-between.ts"
import { createHistoryBook } from "./history-book.ts"
import { createMeanings } from "./meanings.ts"
import { readVersions } from "./read-versions.ts"
import { type Changes, changesSegments, type Files, followFiles } from "./readable-files.ts"
import type { RememberedHistory } from "./remembered-history.ts"
import type { WalkedHistory } from "./walk-history.ts"

/** What the history of the flags is read from. */
export interface HistoryRequest {
  readonly repository: Inside
  readonly walked: WalkedHistory
  readonly project: Project
  /** The flag and segment files of the work tree. */
  readonly files: readonly FlagFile[]
  /** The versions of flags that were read before, by `identityOf`. */
  readonly versions: Map<string, ResolvedFlag | undefined>
  readonly remembered: RememberedHistory
  readonly compileExpression: CompileExpression
}

/**
 * Says of every commit of the first-parent line what it changed, in `diff`'s sentences, from where an earlier run has left
 * off. As for the times, each version of a file means what today's project file makes of it, what the project ignores today
 * is in no commit, and a version that cannot be read changes nothing.
 */
export async function readHistory(request: HistoryRequest): Promise<CatalogHistory> {
  const { repository, project, remembered, compileExpression } = request
  const { earlier, commits, authors } = request.walked
  const start: Files = new Map(earlier?.files)
  const tree = filesAfter(commits, start)
  const open = uncommittedChanges(tree, request)
  const readable: Files = new Map(earlier?.readable ?? start)
  const all = [...commits.map(({ changes }) => changes), open]
  const read = await readVersions(readable, all, { ...request, known: request.versions })
  const meanings = createMeanings(read, project)
  const { files, touched, apply } = followFiles(readable, project, meanings.isReadable)
  const book = createHistoryBook(
    project.environments.map(({ name }) => name),
    earlier?.history,
  )
  let segments = meanings.segments(files)

  function said(id: string, at: number, changes: Changes): CatalogCommit {
    const own = touched(changes)
    const isAboutSegments = changesSegments(own)
    const users = isAboutSegments ? meanings.usersOfSegments(files) : []
    const paths = [...new Set([...own, ...users])].filter(isFlagPath)
    const flags = () =>
      paths.flatMap((path) => {
        const blob = files.get(path)
        return (blob === undefined ? undefined : meanings.flag(path, blob, segments)) ?? []
      })
    const before = flags()
    apply(changes)
    if (isAboutSegments) segments = meanings.segments(files)
    const sentences = changesBetween({ before, after: flags() }, project, compileExpression)
    return { id, at, author: authors.get(id) ?? "", changes: sentences }
  }

  for (const { id, at, changes } of commits) book.add(said(id, at, changes))
  const replayed = commits.reduce((sum, { changes }) => sum + changes.size, 0)
  // To write all for a few commits costs more than to say these few again.
  if (earlier === undefined || replayed * 100 > tree.size)
    remembered.put({
      revision: repository.revision,
      files: [...tree],
      readable: isSame(files, tree) ? undefined : [...files],
      history: book.history(),
    })
  book.add(said("", repository.committedAt, open))
  return book.history()
}

/** Whether the files that can be read are those of the commit; others there have no meaning. */
function isSame(readable: Files, tree: Files): boolean {
  return [...tree].every(([path, blob]) => !isSourcePath(path) || readable.get(path) === blob)
}

/** How the work tree differs from the newest commit: changes between blobs, of which git may lack those after. */
function uncommittedChanges(tree: Files, { files, project, repository }: HistoryRequest): Changes {
  const { uncommitted } = compareWorkTree(files, project.folder, tree, repository.hash, project.ignores)
  const own = new Map(files.map((file) => [file.source.path, file]))
  return new Map(
    uncommitted.map((path): [string, FileChange] => [
      path,
      { before: tree.get(path), after: own.get(join(project.folder, path))?.blob },
    ]),
  )
}
