import type { CompileExpression } from "../../../sdk/evaluation/expression.ts"
import type { Report } from "../../diagnostics/diagnostic.ts"
import { readBlobs } from "../../history/blobs.ts"
import type { FlagVersion } from "../../history/flag-version.ts"
import { type CachedHistory, type HistoryCache, noCheckpoint } from "../../history/history-cache.ts"
import { readOldFlag } from "../../history/old-version.ts"
import type { Step } from "../../history/timeline.ts"
import type { CommitFacts } from "../../history/walk.ts"
import type { References } from "../../language/references.ts"
import { type CompileOptions, type DatedProject, dateProject } from "../../project/compile.ts"
import type { Input } from "../../project/input.ts"
import { describeChanges } from "./describe-changes.ts"
import type { DescribedCommit } from "./described-commit.ts"

/** What `dateAndDescribe` reads. */
export interface HistoryRequest {
  readonly input: Input
  readonly report: Report
  readonly options: CompileOptions
  readonly compileExpression: CompileExpression
  /** What earlier catalogues of this process have described; absent: everything is described. */
  readonly cache?: DescribedCache | undefined
}

/** The history that has been replayed, and its described commits. */
export type DescribedCache = HistoryCache<readonly DescribedCommit[]>

/** A project with its times and its history. */
export interface DescribedProject {
  readonly dated: DatedProject
  /** Every first-parent commit that changed a flag, oldest first, and last the uncommitted changes. Empty outside git. */
  readonly history: readonly DescribedCommit[]
}

/**
 * Finds the times of the flags, as a build does, and describes each commit of the history that is replayed for them.
 * Continues where the cache ends. `undefined` if the report has errors.
 */
export async function dateAndDescribe(request: HistoryRequest): Promise<DescribedProject | undefined> {
  const { input, report, options, cache } = request
  const { project, repository } = input
  const cached: CachedHistory<readonly DescribedCommit[]> = cache?.get(project, repository) ?? noCheckpoint
  const steps: CommitStep[] = []
  const dated = await dateProject(
    input,
    report,
    { ...options, cache: { get: () => cached, put: () => {} } },
    (commit, step) => steps.push({ commit, step }),
  )
  if (dated === undefined) return undefined
  const { isRest, checkpoint } = dated.history
  const earlier = isRest ? (cached.made ?? []) : []
  const history = [...earlier, ...(await describe(steps, request))]
  if (checkpoint !== undefined)
    cache?.put(project, { ...checkpoint, made: history.filter(({ id }) => id !== "") })
  return { dated, history }
}

interface CommitStep {
  readonly commit: CommitFacts
  readonly step: Step
}

/** The commits that changed something, with their sentences. */
async function describe(
  steps: readonly CommitStep[],
  { input, compileExpression }: HistoryRequest,
): Promise<readonly DescribedCommit[]> {
  const { project } = input
  const described: DescribedCommit[] = []
  for (let start = 0; start < steps.length; start += stepsAtOnce) {
    const batch = steps.slice(start, start + stepsAtOnce)
    const textOf = await readTexts(batch, input)
    const read = (version: FlagVersion | undefined, references: References) =>
      (version && readOldFlag(textOf(version.blob), version.path, project, references)) ?? []
    for (const { commit, step } of batch) {
      const { flags, segmentsBefore, segmentsAfter } = step
      const before = flags.flatMap((flag) => read(flag.before, segmentsBefore))
      const after = flags.flatMap((flag) => read(flag.after, segmentsAfter))
      const changes = describeChanges({ before, after }, project, compileExpression)
      const { id, at, author, subject } = commit
      if (changes.length > 0) described.push({ id, at, author, subject, changes })
    }
  }
  return described
}

/** One git process reads the versions of this many commits, which are in memory at the same time. */
const stepsAtOnce = 500

/** Reads the versions' texts: from the work tree if they are there, because git may lack them, else from git. */
async function readTexts(
  steps: readonly CommitStep[],
  { repository, files }: Input,
): Promise<(blob: string) => Uint8Array> {
  const versions = steps.flatMap(({ step }) => step.flags.flatMap(({ before, after }) => [before, after]))
  const blobs = new Set(versions.flatMap((version) => version?.blob ?? []))
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
