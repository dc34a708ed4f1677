import { Failure } from "../failure.ts"
import { type Git, GitMissing } from "../git.ts"
import { commitTime } from "./time-text.ts"

/** A flags folder's repository, or why it has none. */
export type Repository = Outside | Inside

export interface Outside {
  readonly kind: "outside"
  readonly reason: string
  readonly hash: "sha1"
}

export interface Inside {
  readonly kind: "inside"
  readonly git: Git
  /** The top folder of the work tree, where all further git commands run. */
  readonly top: string
  /** The flags folder's path relative to `top`: `""`, or with a `/` at its end. */
  readonly prefix: string
  /** The commit that is checked out. */
  readonly revision: string
  /** Its committer date, in milliseconds since 1970. */
  readonly committedAt: number
  readonly shallow: boolean
  /** The hash that names this repository's objects. */
  readonly hash: "sha1" | "sha256"
}

/** Finds the repository of a folder. Throws `Failure` with git's own message if git finds one but refuses it. */
export async function findRepository(folder: string, git: Git): Promise<Repository> {
  const questions = ["--show-toplevel", "--show-prefix", "--is-shallow-repository", "--show-object-format"]
  try {
    const [found, newest] = await Promise.all([
      git(["rev-parse", ...questions], { cwd: folder }),
      git(["log", "-1", "--no-color", "--format=%H %ct", "HEAD", "--"], { cwd: folder }),
    ])
    if (/not a git repository|must be run in a work tree/.test(found.stderr))
      return outside("the flags folder is not in a git repository")
    if (found.status !== 0) throw new Failure(`git failed while reading the times: ${found.stderr.trim()}`)
    if (/bad revision 'HEAD'|does not have any commits/.test(newest.stderr))
      return outside("the git repository has no commit yet")
    if (newest.status !== 0) throw new Failure(`git failed while reading the times: ${newest.stderr.trim()}`)
    const [top = "", prefix = "", shallow, hash] = found.stdout.toString("utf8").split("\n")
    const [revision = "", seconds = ""] = newest.stdout.toString("utf8").trim().split(" ")
    return {
      kind: "inside",
      git,
      top,
      prefix,
      revision,
      committedAt: commitTime(seconds),
      shallow: shallow === "true",
      hash: hash === "sha256" ? "sha256" : "sha1",
    }
  } catch (error) {
    if (error instanceof GitMissing) return outside("git is not installed")
    throw error
  }
}

function outside(reason: string): Outside {
  return { kind: "outside", reason, hash: "sha1" }
}
