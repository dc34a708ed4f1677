import { statSync } from "node:fs"
import { type Report, wholeFile } from "../diagnostics/diagnostic.ts"
import { plural } from "../diagnostics/format-text.ts"
import { type Git, GitMissing } from "../git.ts"
import type { Project } from "./project.ts"
import type { ResolvedFlag } from "./resolve.ts"

/** When a flag's parts last changed in meaning: ISO 8601, UTC, milliseconds. */
export interface FlagTimes {
  readonly createdAt: string
  /** Of the definition's own members. */
  readonly updatedAt: string
  /** Of each environment's configuration, by environment name. */
  readonly configurations: ReadonlyMap<string, string>
}

/** Where the flags come from. */
export interface History {
  /** The commit; `null` outside git and before the first commit. */
  readonly revision: string | null
  /** Something compiled is not committed. */
  readonly dirty: boolean
  /** The clone was shallow, so the times may be wrong. */
  readonly shallow: boolean
  /** The committer date of `revision`, ISO 8601; `undefined` where there is none. */
  readonly committedAt: string | undefined
  /** By flag key; every resolved flag is there. */
  readonly times: ReadonlyMap<string, FlagTimes>
}

/** What the user asks of history beyond the usual. */
export interface HistoryOptions {
  /** A shallow clone gives a warning instead of an error. */
  readonly allowShallow: boolean
  /** What is not committed gives an error instead of a warning. */
  readonly requireClean: boolean
  /** `SOURCE_DATE_EPOCH`, in seconds: the time of everything outside git; `undefined`: the files' mtimes. */
  readonly sourceDateEpoch: number | undefined
}

/** Finds when each part of each flag changed. What makes the times doubtful is reported at the project file. */
export async function readHistory(
  flags: readonly ResolvedFlag[],
  project: Project,
  git: Git,
  report: Report,
  options: HistoryOptions,
): Promise<History> {
  const head = await readHead(project.folder, git)
  const severity = options.requireClean ? "error" : "warning"
  const at = { source: project.source, span: wholeFile }
  if (head.kind === "outside") {
    const message = `The times are those of the files, not of commits: ${head.reason}.`
    report.add({ code: "not-in-git", severity, message, ...at })
    const times = timesOf(flags, (flag) => fileTime(flag, options))
    return { revision: null, dirty: false, shallow: false, committedAt: undefined, times }
  }
  if (head.shallow) {
    const message =
      "The clone is shallow, so the times would be wrong. Clone with the whole history (fetch-depth: 0)."
    report.add({
      code: "shallow-clone",
      severity: options.allowShallow ? "warning" : "error",
      message,
      ...at,
    })
  }
  if (head.uncommitted.length > 0) {
    const others = head.uncommitted.length - 1
    const what =
      others === 0
        ? `\`${head.uncommitted[0]}\``
        : `\`${head.uncommitted[0]}\` and ${plural(others, "other")}`
    const message = `Not committed: ${what}. Until then it has the newest commit's time.`
    report.add({ code: "not-committed", severity, message, ...at })
  }
  const dirty = head.uncommitted.length > 0
  const times = timesOf(flags, () => head.committedAt)
  const { revision, shallow, committedAt } = head
  return { revision, dirty, shallow, committedAt: committedAt.toISOString(), times }
}

type Head =
  | { readonly kind: "outside"; readonly reason: string }
  | {
      readonly kind: "commit"
      readonly revision: string
      readonly committedAt: Date
      readonly shallow: boolean
      /** Paths below the flags folder that differ from the commit. */
      readonly uncommitted: readonly string[]
    }

async function readHead(cwd: string, git: Git): Promise<Head> {
  try {
    const repository = await git(["rev-parse", "--is-inside-work-tree", "--is-shallow-repository"], { cwd })
    if (repository.status !== 0)
      return { kind: "outside", reason: "the flags folder is not in a git repository" }
    const commit = await git(["log", "-1", "--format=%H %ct", "HEAD"], { cwd })
    if (commit.status !== 0) return { kind: "outside", reason: "the git repository has no commit yet" }
    const [revision = "", seconds] = commit.stdout.toString("utf8").trim().split(" ")
    const status = await git(["status", "--porcelain=v1", "-z", "--untracked-files=all", "--", "."], { cwd })
    if (status.status !== 0) throw new Error(`git status failed in ${cwd}: ${status.stderr.trim()}`)
    return {
      kind: "commit",
      revision,
      committedAt: new Date(Number(seconds) * 1000),
      shallow: repository.stdout.toString("utf8").includes("\ntrue"),
      uncommitted: status.stdout
        .toString("utf8")
        .split("\0")
        .filter(Boolean)
        .map((entry) => entry.slice(3)),
    }
  } catch (error) {
    if (error instanceof GitMissing) return { kind: "outside", reason: "git is not installed" }
    throw error
  }
}

function fileTime({ definition }: ResolvedFlag, { sourceDateEpoch }: HistoryOptions): Date {
  if (sourceDateEpoch !== undefined) return new Date(sourceDateEpoch * 1000)
  return statSync(definition.source.path).mtime
}

function timesOf(flags: readonly ResolvedFlag[], timeOf: (flag: ResolvedFlag) => Date): History["times"] {
  return new Map(
    flags.map((flag) => {
      const time = timeOf(flag).toISOString()
      const configurations = new Map(
        [...flag.configurations.keys()].map((environment) => [environment, time]),
      )
      return [flag.flag.key, { createdAt: time, updatedAt: time, configurations }]
    }),
  )
}
