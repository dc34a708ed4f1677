import { momentGrammar, parseMoment } from "../../../sdk/evaluation/moment.ts"
import { Failure } from "../../failure.ts"
import type { Git } from "../../git.ts"
import { commitTime, timeText } from "../../history/time-text.ts"
import type { FlagsFolder } from "../../project/commit-files.ts"
import { isShallow, readCommit } from "./endpoints.ts"

/** A commit, as it is shown to a reader. */
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
  const isMoment = momentGrammar.test(at)
  const moment = parseMoment(at)
  if (isMoment && moment === undefined) throw new Failure(`${at} is not a date or time`)
  const end = await readCommit(isMoment ? "HEAD" : at, cwd, git).catch((cause: Failure) => {
    throw new Failure(`${cause.message}. Write a time as 2026-11-20T09:00:00Z`, { cause })
  })
  if (end.kind !== "commit") throw new Failure("there is no commit yet")
  const dated = moment === undefined ? [] : [`--min-age=${Math.floor(moment / 1000)}`]
  const format = "--format=%H%x00%ct%x00%s"
  const args = ["rev-list", "-1", "--no-commit-header", "--first-parent", ...dated, format, end.revision]
  const { stdout } = await git(args, { cwd })
  const [revision = "", seconds = "", subject = ""] = stdout.toString("utf8").trimEnd().split("\0")
  if (revision !== "") return { revision, committed: timeText(commitTime(seconds)), subject }
  const more = (await isShallow(cwd, git)) ? ": the clone is shallow (git fetch --unshallow)" : ""
  throw new Failure(`no commit is as old as ${at}${more}`)
}
