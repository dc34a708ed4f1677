import { join } from "node:path"
import type { CompileExpression } from "../../../sdk/evaluation/expression.ts"
import type { Project } from "../../compile/definition/project.ts"
import { decodeSource, type FlagFile, isFlagPath } from "../../compile/definition/read.ts"
import { toDefinition } from "../../compile/definition/validate.ts"
import { readBlobs } from "../../compile/history/blobs.ts"
import { noCheckpoint } from "../../compile/history/checkpoint.ts"
import { walkFolder } from "../../compile/history/folders.ts"
import type { Inside } from "../../compile/history/repository.ts"
import type { FileChange } from "../../compile/history/walk.ts"
import { compareWorkTree } from "../../compile/history/work-tree.ts"
import { identityOf } from "../../compile/meaning/compiled-flag.ts"
import { type ResolvedFlag, resolveFlag } from "../../compile/meaning/resolve.ts"
import { parseSource } from "../../compile/yaml/parse.ts"
import { createReport } from "../../diagnostics/diagnostic.ts"
import type { CatalogCommit, CatalogHistory } from "./catalog-history.ts"
import { changesBetween } from "./changes-between.ts"
import { readAuthors } from "./read-authors.ts"
import type { RememberedHistory } from "./remembered-history.ts"

/** What the history of the flags is read from. */
export interface HistoryRequest {
  readonly repository: Inside
  readonly project: Project
  /** The flag files of the work tree. */
  readonly files: readonly FlagFile[]
  readonly remembered: RememberedHistory
  readonly compileExpression: CompileExpression
}

/**
 * Says of every commit of the first-parent line what it changed, in `diff`'s sentences, from where an earlier run has left
 * off. As for the times, each version of a flag file means what today's project file makes of it, and a version that
 * cannot be read counts as absent.
 */
export async function readHistory(request: HistoryRequest): Promise<CatalogHistory> {
  const { repository, project, remembered, compileExpression } = request
  const known = remembered.get()
  const checkpoint = { ...noCheckpoint, revision: known?.revision }
  const { from, commits } = await walkFolder(repository, checkpoint)
  const earlier = from === checkpoint && known !== undefined ? known : undefined
  const tree = new Map(earlier?.files)
  for (const { changes } of commits)
    for (const [path, { after }] of changes) {
      if (after === undefined) tree.delete(path)
      else tree.set(path, after)
    }
  const uncommitted = changesSince(tree, request)
  const versions = await readVersions(
    [...commits.map(({ changes }) => changes), uncommitted.changes],
    uncommitted.texts,
    request,
  )
  const authors = await readAuthors(
    repository,
    commits.map(({ id }) => id),
  )
  const said = (id: string, at: number, changes: Changes): CatalogCommit => {
    const sides = { before: flagsOf(changes, "before", versions), after: flagsOf(changes, "after", versions) }
    const sentences = changesBetween(sides, project, compileExpression)
    return { id, at: new Date(at).toISOString(), author: authors.get(id) ?? "", changes: sentences }
  }
  const isAny = ({ changes }: CatalogCommit) => changes.length > 0
  const later = commits.map(({ id, at, changes }) => said(id, at, changes)).filter(isAny)
  const committed = [...(earlier?.commits ?? []), ...later]
  if (commits.length > 0)
    remembered.put({ revision: repository.revision, files: [...tree], commits: committed })
  const open = said("", repository.committedAt, uncommitted.changes)
  return { commits: [...committed, ...[open].filter(isAny)] }
}

type Changes = ReadonlyMap<string, FileChange>

/** How the work tree differs from the newest commit: changes between blobs, and the texts of those that git lacks. */
function changesSince(
  tree: ReadonlyMap<string, string>,
  { files, project, repository }: HistoryRequest,
): { readonly changes: Changes; readonly texts: ReadonlyMap<string, Uint8Array> } {
  const { uncommitted } = compareWorkTree(files, project.folder, tree, repository.hash)
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

/** By `identityOf`: what each version means; absent where it cannot be read. */
type Versions = ReadonlyMap<string, ResolvedFlag>

async function readVersions(
  all: readonly Changes[],
  texts: ReadonlyMap<string, Uint8Array>,
  { repository, project }: HistoryRequest,
): Promise<Versions> {
  const paths = new Map<string, Map<string, string>>()
  for (const changes of all)
    for (const [path, { before, after }] of changes)
      for (const blob of isFlagPath(path) ? [before, after] : [])
        if (blob !== undefined)
          paths.set(blob, (paths.get(blob) ?? new Map()).set(identityOf(blob, path), path))
  const versions = new Map<string, ResolvedFlag>()
  const take = (blob: string, bytes: Uint8Array): void => {
    for (const [identity, path] of paths.get(blob) ?? []) {
      const ignored = createReport()
      const source = decodeSource(join(project.folder, path), bytes, ignored)
      const file = source && parseSource(source, ignored)
      const definition = file && toDefinition(file)
      if (definition !== undefined) versions.set(identity, resolveFlag(definition, project))
    }
  }
  for (const [blob, bytes] of texts) take(blob, bytes)
  const committed = [...paths.keys()].filter((blob) => !texts.has(blob))
  await readBlobs(repository.git, repository.top, committed, take)
  return versions
}

function flagsOf(changes: Changes, side: "before" | "after", versions: Versions): readonly ResolvedFlag[] {
  return [...changes].flatMap(([path, change]) => {
    const blob = change[side]
    return (blob === undefined ? undefined : versions.get(identityOf(blob, path))) ?? []
  })
}
