import { statSync } from "node:fs"
import { join } from "node:path"
import { type Report, wholeFile } from "../../diagnostics/diagnostic.ts"
import { plural } from "../../diagnostics/format-text.ts"
import type { MemoryFolder } from "../cache/cache-folder.ts"
import type { Project } from "../definition/project.ts"
import type { CompiledFlag } from "../meaning/compiled-flag.ts"
import { keepLine } from "./history-cache.ts"
import type { Past } from "./past.ts"
import type { Outside } from "./repository.ts"
import { createTimeline, type Life } from "./timeline.ts"
import { joinVersions } from "./versions.ts"

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
  /** By flag key; every compiled flag is there. */
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

/**
 * Finds when each part of each flag changed. What makes the times doubtful is reported at the project file.
 *
 * A time is the committer date of the commit on the first-parent line in which the part changed in meaning; of what is
 * not committed yet, the newest commit's. Every version of every flag is compiled with today's project file. Nothing
 * that is committed is ever run, and the user's configuration of git changes nothing (`git.ts`).
 */
export function replayHistory(
  flags: readonly CompiledFlag[],
  past: Past | Outside,
  project: Project,
  memory: MemoryFolder,
  report: Report,
  options: HistoryOptions,
): History {
  if (past.kind === "outside") {
    reportOutside(past.reason, project, report, options)
    const times = timesOf(flags, (flag) => fileTime(flag, options))
    return { revision: null, dirty: false, shallow: false, committedAt: undefined, times }
  }
  const { repository, from, commits, files, workTree, oldVersions } = past
  const { revision, committedAt, shallow } = repository
  if (shallow) reportShallow(project, report, options)
  if (workTree.uncommitted.length > 0) reportUncommitted(workTree.uncommitted, project, report, options)

  const versions = joinVersions(flags, workTree, oldVersions, project)
  const timeline = createTimeline(from.standing)
  for (const { at, changes } of commits) timeline.apply({ at, changes: versions.committed(changes) })
  // To write all for a few changes costs more than to replay these few again.
  const replayed = commits.reduce((sum, { changes }) => sum + changes.size, 0)
  if (replayed * 100 > files.size) keepLine(memory, repository, { files, standing: timeline.standing })
  timeline.apply({ at: committedAt, changes: versions.uncommitted })
  const texts = new Map<number, string>()
  const textOf = (seconds: number) => {
    const text = texts.get(seconds) ?? toText(seconds)
    texts.set(seconds, text)
    return text
  }
  const times = new Map([...timeline.standing.lives].map(([key, life]) => [key, toFlagTimes(life, textOf)]))
  return {
    revision,
    dirty: workTree.uncommitted.length > 0,
    shallow,
    committedAt: textOf(committedAt),
    times,
  }
}

function reportOutside(reason: string, project: Project, report: Report, options: HistoryOptions): void {
  const message = `The times are those of the files, not of commits: ${reason}.`
  report.add({ code: "not-in-git", severity: doubtful(options), message, ...placeOf(project) })
}

function reportShallow(project: Project, report: Report, { allowShallow }: HistoryOptions): void {
  const message =
    "The clone is shallow, so the times would be wrong. Clone with the whole history (fetch-depth: 0)."
  const severity = allowShallow ? "warning" : "error"
  report.add({ code: "shallow-clone", severity, message, ...placeOf(project) })
}

function reportUncommitted(
  paths: readonly string[],
  project: Project,
  report: Report,
  options: HistoryOptions,
): void {
  const named = paths.length > maxNamed ? `, the first ${maxNamed} of which are named here` : ""
  const what = `${plural(paths.length, "file")}${named}`
  const message = `Not committed: ${what}. Until then the changes have the newest commit's time.`
  const related = paths.slice(0, maxNamed).map((path) => ({
    message: "It differs from the newest commit.",
    location: { source: { path: join(project.folder, path), text: "" }, span: wholeFile },
  }))
  report.add({ code: "not-committed", severity: doubtful(options), message, related, ...placeOf(project) })
}

const maxNamed = 5

function doubtful({ requireClean }: HistoryOptions): "error" | "warning" {
  return requireClean ? "error" : "warning"
}

function placeOf({ source }: Project) {
  return { source, span: wholeFile }
}

function toFlagTimes(
  { createdAt, updatedAt, configurations }: Life,
  textOf: (seconds: number) => string,
): FlagTimes {
  return {
    createdAt: textOf(createdAt),
    updatedAt: textOf(updatedAt),
    configurations: new Map([...configurations].map(([environment, at]) => [environment, textOf(at)])),
  }
}

/** git stores whatever seconds a committer claims; the API's timestamps have years of four digits. */
function toText(seconds: number): string {
  return new Date(Math.min(seconds, 253_402_300_799) * 1000).toISOString()
}

function fileTime({ source }: CompiledFlag, { sourceDateEpoch }: HistoryOptions): Date {
  if (sourceDateEpoch !== undefined) return new Date(sourceDateEpoch * 1000)
  return statSync(source.path).mtime
}

function timesOf(flags: readonly CompiledFlag[], timeOf: (flag: CompiledFlag) => Date): History["times"] {
  return new Map(
    flags.map((flag) => {
      const time = timeOf(flag).toISOString()
      const configurations = new Map([...flag.configurations.keys()].map((name) => [name, time]))
      return [flag.version.key, { createdAt: time, updatedAt: time, configurations }]
    }),
  )
}
