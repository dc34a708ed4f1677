import { join } from "node:path"
import type { CompileExpression } from "../../../sdk/evaluation/expression.ts"
import type { FlagFile } from "../../compile/definition/flag-file.ts"
import { identityOf } from "../../compile/definition/flag-file.ts"
import type { Project } from "../../compile/definition/project.ts"
import { isSourcePath } from "../../compile/definition/read.ts"
import type { Inside } from "../../compile/history/repository.ts"
import { type FileChange, filesAfter } from "../../compile/history/walk.ts"
import { compareWorkTree } from "../../compile/history/work-tree.ts"
import { writeFlag } from "../../compile/meaning/compiled-flag.ts"
import type { ResolvedFlag } from "../../compile/meaning/resolve.ts"
import type { CatalogHistory } from "./catalog-history.ts"
import { createMeanings } from "./meanings.ts"
import { readVersions } from "./read-versions.ts"
import { type Changes, type Files, isOfProject } from "./readable-files.ts"
import type { RememberedHistory } from "./remembered-history.ts"
import { createTeller, type Teller } from "./teller.ts"
import type { Told } from "./telling.ts"
import type { TellingThread } from "./telling-thread.ts"
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
  /** Describes the walked commits; `undefined`: they are described here. */
  readonly telling: TellingThread | undefined
  readonly compileExpression: CompileExpression
}

/**
 * Says of every commit of the first-parent line what it changed, in `diff`'s sentences, from where an earlier run has left
 * off. As for the times, each version of a file means what today's project file makes of it, what the project ignores today
 * is in no commit, and a version that cannot be read changes nothing.
 */
export async function readHistory(request: HistoryRequest): Promise<CatalogHistory> {
  const { repository, remembered, walked, telling } = request
  const { earlier, commits } = walked
  const start: Files = new Map(earlier?.files)
  const tree = filesAfter(commits, start)
  const open = uncommittedChanges(tree, request)
  const said =
    telling === undefined
      ? await tellHere(new Map(earlier?.readable ?? start), request)
      : await tellInThread(telling, request)
  // Even for one commit: the next run then compares versions that its build has read, and asks git for none.
  if (commits.length > 0)
    remembered.put({
      revision: repository.revision,
      files: [...tree],
      readable: isSame(said.files, tree) ? undefined : [...said.files],
      history: said.history,
    })
  if (open.size === 0) return said.history
  const teller = await createOwnTeller(said.files, [open], said.history, request)
  teller.tell({ id: "", at: repository.committedAt, author: "", changes: open })
  return teller.history()
}

/** Describes the commits after `start`. */
async function tellHere(start: Files, request: HistoryRequest): Promise<Told> {
  const { earlier, commits } = request.walked
  const all = commits.map(({ changes }) => changes)
  const teller = await createOwnTeller(start, all, earlier?.history, request)
  for (const commit of commits) teller.tell(commit)
  return { history: teller.history(), files: teller.files }
}

async function createOwnTeller(
  start: Files,
  all: readonly Changes[],
  earlier: CatalogHistory | undefined,
  request: HistoryRequest,
): Promise<Teller> {
  const { project, versions, compileExpression } = request
  const read = await readVersions(start, all, { ...request, known: versions })
  return createTeller({
    ...{ project, start, earlier, compileExpression },
    meanings: createMeanings(read, project),
  })
}

/** Gives the thread the versions that the build did not give it. */
async function tellInThread(telling: TellingThread, request: HistoryRequest): Promise<Told> {
  const { walked, versions } = request
  const missing = walked.commits.map(
    ({ changes }): Changes =>
      new Map(
        [...changes].filter(
          ([path, { after }]) => after !== undefined && !telling.has(identityOf(after, path)),
        ),
      ),
  )
  await readVersions(new Map(), missing, { ...request, known: versions })
  for (const changes of missing)
    for (const [path, { after = "" }] of changes) {
      if (!isOfProject(path, request.project)) continue
      const identity = identityOf(after, path)
      const flag = versions.get(identity)
      if (flag === undefined) telling.addUnreadable(identity)
      else telling.add(identity, flag, writeFlag(flag))
    }
  return telling.end()
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
