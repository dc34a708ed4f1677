import { join } from "node:path"
import type { CompileExpression } from "../../../sdk/evaluation/expression.ts"
import type { Definition } from "../../compile/definition/definition.ts"
import { isSegmentPath } from "../../compile/definition/file-names.ts"
import type { FlagFile } from "../../compile/definition/flag-file.ts"
import type { Project } from "../../compile/definition/project.ts"
import { isFlagPath, isSourcePath, pathFrom } from "../../compile/definition/read.ts"
import { readBlobs } from "../../compile/history/blobs.ts"
import { noCheckpoint } from "../../compile/history/checkpoint.ts"
import { walkFolder } from "../../compile/history/folders.ts"
import type { Inside } from "../../compile/history/repository.ts"
import { type Commit, type FileChange, filesAfter } from "../../compile/history/walk.ts"
import { compareWorkTree } from "../../compile/history/work-tree.ts"
import { identityOf } from "../../compile/meaning/compiled-flag.ts"
import type { CatalogCommit, CatalogHistory } from "./catalog-history.ts"
import { changesBetween } from "./changes-between.ts"
import { createMeanings } from "./meanings.ts"
import { readAuthors } from "./read-authors.ts"
import { type Changes, changesSegments, type Files, followFiles, isOfProject } from "./readable-files.ts"
import type { Remembered, RememberedHistory } from "./remembered-history.ts"

/** The commits that an earlier run has not said, and what it has. */
export interface WalkedHistory {
  /** `undefined`: all commits are to be said. */
  readonly earlier: Remembered | undefined
  /** Oldest first. */
  readonly commits: readonly Commit[]
}

/** Asks git for the commits. That takes about as long as parsing the flags: start it first. */
export async function walkHistory(repository: Inside, remembered: RememberedHistory): Promise<WalkedHistory> {
  const known = remembered.get()
  const checkpoint = { ...noCheckpoint, revision: known?.revision }
  const { from, commits } = await walkFolder(repository, checkpoint)
  return { earlier: from === checkpoint ? known : undefined, commits }
}

/** What the history of the flags is read from. */
export interface HistoryRequest {
  readonly repository: Inside
  readonly walked: WalkedHistory
  readonly project: Project
  /** The flag and segment files of the work tree. */
  readonly files: readonly FlagFile[]
  /** The flags of the work tree. */
  readonly definitions: Iterable<Definition>
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
  const { earlier, commits } = request.walked
  const start: Files = new Map(earlier?.files)
  const tree = filesAfter(commits, start)
  const open = uncommittedChanges(tree, request)
  const readable: Files = new Map(earlier?.readable ?? start)
  const all = [...commits.map(({ changes }) => changes), open.changes]
  const ids = commits.map(({ id }) => id)
  const [contents, authors] = await Promise.all([
    readContents(readable, all, open.texts, request),
    readAuthors(repository, ids),
  ])
  const meanings = createMeanings({ contents, definitions: definitionsOf(request) }, project)
  const { files, touched, apply } = followFiles(readable, project, meanings.isReadable)
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
    return { id, at: new Date(at).toISOString(), author: authors.get(id) ?? "", changes: sentences }
  }

  const isAny = ({ changes }: CatalogCommit) => changes.length > 0
  const later = commits.map(({ id, at, changes }) => said(id, at, changes)).filter(isAny)
  const committed = [...(earlier?.commits ?? []), ...later]
  if (commits.length > 0)
    remembered.put({
      revision: repository.revision,
      files: [...tree],
      readable: isSame(files, tree) ? undefined : [...files],
      commits: committed,
    })
  const uncommitted = said("", repository.committedAt, open.changes)
  return { commits: [...committed, ...[uncommitted].filter(isAny)] }
}

/** The definitions of the work tree by what names a version. */
function definitionsOf({ files, definitions, project }: HistoryRequest): ReadonlyMap<string, Definition> {
  const blobs = new Map(files.map(({ source, blob }) => [source.path, blob]))
  return new Map(
    [...definitions].map((definition) => {
      const { path } = definition.source
      return [identityOf(blobs.get(path) ?? "", pathFrom(project.folder, path)), definition]
    }),
  )
}

/** Whether the files that can be read are those of the commit; others there have no meaning. */
function isSame(readable: Files, tree: Files): boolean {
  return [...tree].every(([path, blob]) => !isSourcePath(path) || readable.get(path) === blob)
}

/** How the work tree differs from the newest commit: changes between blobs, and the texts of those that git lacks. */
function uncommittedChanges(
  tree: Files,
  { files, project, repository }: HistoryRequest,
): { readonly changes: Changes; readonly texts: ReadonlyMap<string, Uint8Array> } {
  const { uncommitted } = compareWorkTree(files, project.folder, tree, repository.hash, project.ignores)
  const own = new Map(files.map((file) => [file.source.path, file]))
  const changes = new Map<string, FileChange>()
  const texts = new Map<string, Uint8Array>()
  for (const path of uncommitted) {
    const file = own.get(join(project.folder, path))
    if (file !== undefined) texts.set(file.blob, Buffer.from(file.source.text))
    changes.set(path, { before: tree.get(path), after: file?.blob })
  }
  return { changes, texts }
}

/** The contents of all files that are compared; where segments changed, of every file, because any may use them. */
async function readContents(
  start: Files,
  all: readonly Changes[],
  texts: ReadonlyMap<string, Uint8Array>,
  { repository, project }: HistoryRequest,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const hasSegments = all.some((changes) => changesSegments([...changes.keys()]))
  const unchanged = [...start].filter(
    ([path]) => isOfProject(path, project) && (hasSegments || isSegmentPath(path)),
  )
  const changed = all.flatMap((changes) =>
    [...changes].flatMap(([path, { before, after }]) =>
      isOfProject(path, project) ? [before, after, start.get(path)] : [],
    ),
  )
  const wanted = new Set([...unchanged.map(([, blob]) => blob), ...changed])
  const contents = new Map<string, Uint8Array>(texts)
  const ids = [...wanted].filter((blob) => blob !== undefined && !contents.has(blob)) as readonly string[]
  await readBlobs(repository.git, repository.top, ids, (blob, bytes) =>
    contents.set(blob, Buffer.from(bytes)),
  )
  return contents
}
