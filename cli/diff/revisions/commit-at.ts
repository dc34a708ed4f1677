import { Failure } from "../../failure.ts"
import type { Git } from "../../git.ts"
import type { FlagsFolder } from "../../project/commit-files.ts"
import { readCommit } from "./endpoints.ts"

/** A commit, and what a reader knows it by. */
export interface Commit {
  readonly revision: string
  /** RFC 3339. */
  readonly committed: string
  readonly subject: string
}

/**
 * The commit that a revision names or, for a date or time (RFC 3339; a date is its midnight in UTC), the last of the first
 * parents of `HEAD` that is not later. Throws `Failure` if there is none.
 */
export async function commitAt(at: string, { cwd }: FlagsFolder, git: Git): Promise<Commit> {
  const end = await readCommit(rfc3339.test(at) ? "HEAD" : at, cwd, git)
  if (end.kind !== "commit") throw new Failure("there is no commit yet")
  const dated = rfc3339.test(at) ? [`--min-age=${secondsOf(at)}`] : []
  const format = "--format=%H%x00%cI%x00%s"
  const args = ["rev-list", "-1", "--no-commit-header", "--first-parent", ...dated, format, end.revision]
  const { stdout } = await git(args, { cwd })
  const [revision = "", committed = "", subject = ""] = stdout.toString("utf8").trimEnd().split("\0")
  if (revision !== "") return { revision, committed: new Date(committed).toISOString(), subject }
  const shallow = await git(["rev-parse", "--is-shallow-repository"], { cwd })
  const more =
    shallow.stdout.toString("utf8").trim() === "true" ? ": the clone is shallow (git fetch --unshallow)" : ""
  throw new Failure(`no commit is as old as ${at}${more}`)
}

function secondsOf(time: string): number {
  const milliseconds = Date.parse(time)
  if (Number.isNaN(milliseconds))
    throw new Failure(`${time} is not a date or time, such as 2026-11-20T09:00:00Z`)
  return Math.floor(milliseconds / 1000)
}

const rfc3339 = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/i
