import { join } from "node:path"
import type { CompileExpression } from "../../../sdk/evaluation/expression.ts"
import { readBlobs } from "../../compile/history/blobs.ts"
import { walkFolder } from "../../compile/history/folders.ts"
import type { Inside } from "../../compile/history/repository.ts"
import type { Commit, FileChange } from "../../compile/history/walk.ts"
import type { Input } from "../../project/input.ts"
import { describeChanges } from "./describe-changes.ts"
import type { DescribedCommit } from "./described-commit.ts"
import { createFlagLine, emptyFolder, type FlagLine, type TextOf } from "./flag-line.ts"
import { openHistoryCache } from "./history-cache.ts"

/** What to read the history of the flags from. */
export interface HistoryRequest {
  readonly input: Input
  /** The paths from the flags folder at which the work tree differs from the newest commit. */
  readonly uncommitted: readonly string[]
  /** Whether the cache is read and written. */
  readonly cache: boolean
  readonly compileExpression: CompileExpression
}

type UndescribedCommit = Pick<Commit, "id" | "at" | "author" | "subject" | "changes">

/**
 * Every first-parent commit that changed a flag, oldest first, and at the end the uncommitted changes, with the id
 * `""`. Continues where the cache ends. Empty outside git.
 */
export async function readHistory(request: HistoryRequest): Promise<readonly DescribedCommit[]> {
  const { project, repository } = request.input
  if (repository.kind === "outside") return []
  const cache = openHistoryCache(repository, project, request.cache)
  const cached = cache.get()
  const walked = await walkFolder(repository, cached?.revision)
  const earlier = walked.isRest ? cached : undefined // else it is a different branch, or the folder was moved
  const line = createFlagLine(earlier?.state ?? emptyFolder, project)
  const committed = [...(earlier?.commits ?? []), ...(await describe(walked.commits, line, request))]
  if (walked.commits.length > 0)
    cache.put({ revision: repository.revision, state: line.state(), commits: committed })
  return [...committed, ...(await describe(uncommittedChanges(repository, request), line, request))]
}

/** The commits that changed something, with their sentences. */
async function describe(
  commits: readonly UndescribedCommit[],
  line: FlagLine,
  request: HistoryRequest,
): Promise<readonly DescribedCommit[]> {
  const { input, compileExpression } = request
  const described: DescribedCommit[] = []
  for (let start = 0; start < commits.length; start += commitsAtOnce) {
    const some = commits.slice(start, start + commitsAtOnce)
    const textOf = await readTexts(line.blobsFor(some.map(({ changes }) => changes)), input)
    for (const { id, at, author, subject, changes: files } of some) {
      const changes = describeChanges(line.apply(files, textOf), input.project, compileExpression)
      if (changes.length > 0) described.push({ id, at, author, subject, changes })
    }
  }
  return described
}

/** One git process reads the versions of this many commits, which are in memory at the same time. */
const commitsAtOnce = 500

/** Reads the contents of blobs: from the work tree if they are there, because git may lack them, else from git. */
async function readTexts(blobs: ReadonlySet<string>, { repository, files }: Input): Promise<TextOf> {
  const texts = new Map<string, Uint8Array>()
  for (const { blob, source } of files) if (blobs.has(blob)) texts.set(blob, Buffer.from(source.text))
  const missing = [...blobs].filter((blob) => !texts.has(blob))
  if (repository.kind === "inside")
    await readBlobs(repository.git, repository.top, missing, (blob, bytes) => {
      texts.set(blob, Buffer.from(bytes))
    })
  return (blob) => {
    const text = texts.get(blob)
    if (text === undefined) throw new Error(`the blob ${blob} was not read`)
    return text
  }
}

/** The uncommitted changes, as a commit. */
function uncommittedChanges(
  { committedAt }: Inside,
  { input: { files, project }, uncommitted }: HistoryRequest,
): readonly UndescribedCommit[] {
  const blobs = new Map(files.map(({ source, blob }) => [source.path, blob]))
  const changes = uncommitted.map((path): [string, FileChange] => [
    path,
    { before: undefined, after: blobs.get(join(project.folder, path)) },
  ])
  if (changes.length === 0) return []
  return [{ id: "", at: committedAt, author: "", subject: "", changes: new Map(changes) }]
}
