import { flagUsesIn } from "../flag/flag-uses.ts"
import type { Flag } from "../language/flag.ts"
import { reportOutside, reportShallow, reportUncommitted } from "./doubtful-times.ts"
import type { GitHistory } from "./git-history.ts"
import type { Checkpoint } from "./history-cache.ts"
import type { HistoryContext } from "./history-context.ts"
import { createTimeline, type FlagTimes, type Step } from "./timeline.ts"
import { type Current, joinVersions } from "./versions.ts"
import type { CommitFacts } from "./walk.ts"

/** When the flags changed, and the state of the repository that this was read from. */
export interface History {
  /** The commit; `null` outside git and before the first commit. */
  readonly revision: string | null
  /** The paths, relative to the flags folder, of compiled files that differ from the commit, sorted. */
  readonly uncommitted: readonly string[]
  /** The clone was shallow, so the times may be wrong. */
  readonly shallow: boolean
  /** The committer date of `revision`, in milliseconds since 1970; `undefined` if there is none. */
  readonly committedAt: number | undefined
  /** By flag key; every compiled flag is there. */
  readonly times: ReadonlyMap<string, FlagTimes>
  /** What a later build can continue from; `undefined` outside git and in a shallow clone, whose history may change. */
  readonly checkpoint: Checkpoint | undefined
  /** Whether the replay continued from the checkpoint that it was given; otherwise it replayed everything. */
  readonly isRest: boolean
}

/** Gets each commit that is replayed, oldest first, and last the uncommitted changes, whose id is `""`. */
export type OnStep = (commit: CommitFacts, step: Step) => void

/**
 * Finds when each part of each flag changed, with the segments as they were in each commit. Reports at the project file
 * whatever makes the times doubtful.
 *
 * A time is the committer date of the commit on the first-parent line in which the part changed in meaning; uncommitted
 * changes have the newest commit's. Every version of every flag is compiled with today's project file. Committed content is
 * never run, and the user's git configuration has no effect (`git.ts`).
 */
export function replayHistory(
  current: Current,
  gitHistory: GitHistory,
  context: HistoryContext,
  onStep?: OnStep,
): History {
  const { flags } = current
  if (gitHistory.kind === "failed") throw gitHistory.error
  if (gitHistory.kind === "outside") {
    reportOutside(gitHistory.reason, context)
    const own = new Map(flags.map((flag) => [flag.key, timesOfFile(flag, context)]))
    const times = withOtherFlags(own, flags)
    return {
      revision: null,
      uncommitted: [],
      shallow: false,
      committedAt: undefined,
      times,
      checkpoint: undefined,
      isRest: false,
    }
  }
  const { repository, from, commits, files, workTree, oldVersions } = gitHistory
  const { revision, committedAt, shallow } = repository
  const { uncommitted } = workTree
  if (shallow) reportShallow(context)
  if (uncommitted.length > 0) reportUncommitted(uncommitted, context)

  const versions = joinVersions(current, workTree, oldVersions, context.project, repository.hash)
  const timeline = createTimeline(from.state)
  for (const commit of commits) {
    const step = timeline.apply({ at: commit.at, ...versions.committed(commit.changes) })
    onStep?.(commit, step)
  }
  const committed = timeline.state()
  const checkpoint = shallow ? undefined : { revision, files, state: committed }
  const isClean = versions.uncommitted.changes.size + versions.uncommitted.segments.size === 0
  if (!isClean) {
    const step = timeline.apply({ at: committedAt, ...versions.uncommitted })
    onStep?.({ id: "", at: committedAt, author: "", subject: "" }, step)
  }
  const times = withOtherFlags((isClean ? committed : timeline.state()).times, flags)
  const isRest = from.revision !== undefined
  return { revision, uncommitted, shallow, committedAt, times, checkpoint, isRest }
}

/**
 * A configuration that depends on another flag changes when that flag's default, or its configuration in the same
 * environment, does.
 */
function withOtherFlags(
  times: ReadonlyMap<string, FlagTimes>,
  flags: readonly Flag[],
): ReadonlyMap<string, FlagTimes> {
  const asking = flags.filter((flag) => flagUsesIn(flag).length > 0)
  if (asking.length === 0) return times
  const all = new Map(times)
  // Each round follows dependencies one flag further; a flag that depends on itself has been refused.
  for (let round = 0; round < asking.length; round++)
    for (const flag of asking) {
      const own = all.get(flag.key)
      if (own === undefined) continue
      const configurations = new Map(own.configurations)
      for (const { environment, key } of flagUsesIn(flag)) {
        const other = all.get(key)
        const at = Math.max(other?.defaultAt ?? 0, other?.configurations.get(environment) ?? 0)
        configurations.set(environment, Math.max(configurations.get(environment) ?? 0, at))
      }
      all.set(flag.key, { ...own, configurations })
    }
  return all
}

/** Outside git, all times of a flag are its file's. */
function timesOfFile(
  { source, configurations }: Flag,
  { options: { sourceDateEpoch }, modifiedAt }: HistoryContext,
): FlagTimes {
  const at = sourceDateEpoch === undefined ? modifiedAt.get(source.path) : sourceDateEpoch * 1000
  if (at === undefined) throw new Error(`it is not known when ${source.path} was modified`)
  const times = [...configurations.keys()].map((name) => [name, at] as const)
  return { createdAt: at, updatedAt: at, defaultAt: at, configurations: new Map(times) }
}
