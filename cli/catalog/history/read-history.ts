import { join } from "node:path"
import type { CompileExpression } from "../../../sdk/evaluation/expression.ts"
import type { Project } from "../../compile/definition/project.ts"
import type { Inside } from "../../compile/history/repository.ts"
import { type FileChange, filesAfter } from "../../compile/history/walk.ts"
import { compareWorkTree } from "../../compile/history/work-tree.ts"
import type { FlagFile } from "../../compile/read/flag-file.ts"
import { isSourcePath } from "../../compile/read/read.ts"
import type { KeptVersion } from "../versions/kept-version.ts"
import type { CatalogHistory } from "./catalog-history.ts"
import { createMeanings } from "./meanings.ts"
import { readVersions } from "./read-versions.ts"
import type { Changes, Files } from "./readable-files.ts"
import type { RememberedHistory } from "./remembered-history.ts"
import { createTeller } from "./teller.ts"
import type { WalkedHistory } from "./walk-history.ts"

/** What the history of the flags is read from. */
export interface HistoryRequest {
  readonly repository: Inside
  readonly walked: WalkedHistory
  readonly project: Project
  /** The flag and segment files of the work tree. */
  readonly files: readonly FlagFile[]
  /** The versions of flags that were read before, by `identityOf`. */
  readonly versions: Map<string, KeptVersion | undefined>
  readonly remembered: RememberedHistory
  readonly compileExpression: CompileExpression
}

/**
 * Says of every commit of the first-parent line what it changed, in `diff`'s sentences, from where an earlier run has left
 * off. As for the times, each version of a file means what today's project file makes of it, what the project ignores today
 * is in no commit, and a version that cannot be read changes nothing.
 */
export async function readHistory(request: HistoryRequest): Promise<CatalogHistory> {
  const { repository, project, versions, remembered, walked, compileExpression } = request
  const { earlier, commits } = walked
  const start: Files = new Map(earlier?.files)
  const tree = filesAfter(commits, start)
  const open = uncommittedChanges(tree, request)
  const said: Files = new Map(earlier?.readable ?? start)
  const all = [...commits.map(({ changes }) => changes), open]
  const read = await readVersions(said, all, { ...request, known: versions })
  const teller = createTeller({
    ...{ project, start: said, earlier: earlier?.history, compileExpression },
    meanings: createMeanings(read, project),
  })
  for (const commit of commits) teller.tell(commit)
  // Even for one commit: the next run then compares versions that compiling has read, and asks git for none.
  if (commits.length > 0)
    remembered.put({
      revision: repository.revision,
      files: [...tree],
      readable: isSame(teller.files, tree) ? undefined : [...teller.files],
      history: teller.history(),
    })
  if (open.size > 0) teller.tell({ id: "", at: repository.committedAt, author: "", changes: open })
  return teller.history()
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
