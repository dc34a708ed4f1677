import { join } from "node:path"
import { Failure } from "../../failure.ts"
import { type Git, GitMissing } from "../../git.ts"

/** Where a flags folder lies in git, or why it lies in none. */
export type Repository =
  | { readonly kind: "outside"; readonly reason: string; readonly hash: "sha1" }
  | {
      readonly kind: "inside"
      /** The top folder of the work tree, where all further git commands run. */
      readonly top: string
      /** The flags folder's path from there: `""` or with a `/` at its end. */
      readonly prefix: string
      /** The commit that is checked out, and its committer date in seconds. */
      readonly revision: string
      readonly committedAt: number
      readonly shallow: boolean
      /** How this repository names objects. */
      readonly hash: "sha1" | "sha256"
      /** Flagstone's own folder under git's; it may not exist. */
      readonly memoryFolder: string
    }

export type Outside = Extract<Repository, { kind: "outside" }>
export type Inside = Extract<Repository, { kind: "inside" }>

/** Finds the repository of a folder. Throws `Failure` with git's own words where git finds one and refuses it. */
export async function findRepository(folder: string, git: Git): Promise<Repository> {
  const questions = ["--show-toplevel", "--show-prefix", "--is-shallow-repository", "--show-object-format"]
  try {
    const [found, newest] = await Promise.all([
      git(["rev-parse", ...questions, "--git-path", "flagstone"], { cwd: folder }),
      git(["log", "-1", "--no-color", "--encoding=UTF-8", "--format=%H %ct", "HEAD", "--"], { cwd: folder }),
    ])
    if (/not a git repository|must be run in a work tree/.test(found.stderr))
      return { kind: "outside", reason: "the flags folder is not in a git repository", hash: "sha1" }
    if (found.status !== 0) throw new Failure(`git cannot be asked for the times: ${found.stderr.trim()}`)
    if (/bad revision 'HEAD'|does not have any commits/.test(newest.stderr))
      return { kind: "outside", reason: "the git repository has no commit yet", hash: "sha1" }
    if (newest.status !== 0) throw new Failure(`git cannot be asked for the times: ${newest.stderr.trim()}`)
    const [top = "", prefix = "", shallow, hash, memory = ""] = found.stdout.toString("utf8").split("\n")
    const [revision = "", seconds = ""] = newest.stdout.toString("utf8").trim().split(" ")
    return {
      kind: "inside",
      top,
      prefix,
      revision,
      committedAt: Number(seconds),
      shallow: shallow === "true",
      hash: hash === "sha256" ? "sha256" : "sha1",
      memoryFolder: memory.startsWith("/") ? memory : join(folder, memory),
    }
  } catch (error) {
    if (error instanceof GitMissing) return { kind: "outside", reason: "git is not installed", hash: "sha1" }
    throw error
  }
}
