import { basename, dirname, join, resolve } from "node:path"
import { findBareRepositories, refusalOf } from "../../bare-repositories.ts"
import { Failure } from "../../failure.ts"
import { isFolder } from "../../files/is-folder.ts"
import { type Git, whyNoRepository } from "../../git.ts"
import { commitTime } from "../../history/time-text.ts"
import type { FlagsFolder } from "../../project/commit-files.ts"

/** One side of a diff. */
export type Endpoint =
  | { readonly kind: "commit"; readonly name: string; readonly revision: string }
  | { readonly kind: "work-tree"; readonly name: string }
  /** There is no commit yet. */
  | { readonly kind: "nothing"; readonly name: string }

/** The commit of a side; `null`: the work tree, or nothing. */
export function revisionOf(endpoint: Endpoint): string | null {
  return endpoint.kind === "commit" ? endpoint.revision : null
}

/**
 * Finds a flags folder in its repository. The folder itself need not exist. Throws `Failure` outside git, and if git would
 * take the folder, or one around or below it, for a bare repository.
 */
export async function findFlagsFolder(flags: string, git: Git): Promise<FlagsFolder> {
  const path = resolve(flags)
  let cwd = path
  let rest = ""
  while (!isFolder(cwd) && dirname(cwd) !== cwd) {
    rest = join(basename(cwd), rest)
    cwd = dirname(cwd)
  }
  const [bare] = isFolder(path) ? findBareRepositories(path) : []
  if (bare !== undefined) throw refusalOf(bare)
  const output = await git(["rev-parse", "--is-inside-work-tree", "--show-prefix"], { cwd })
  const [inside, shown = ""] = output.stdout.toString("utf8").split("\n")
  if (output.status !== 0 || inside !== "true") {
    const otherwise = `${path} is not in a git repository, so there are no commits to compare with`
    throw new Failure(whyNoRepository(output, otherwise))
  }
  const prefix = join(shown, rest).replaceAll("\\", "/").replace(/\/+$/, "")
  return { cwd, path, prefix: prefix === "." ? "" : prefix }
}

/** The two sides of a diff. */
export interface Endpoints {
  readonly before: Endpoint
  readonly after: Endpoint
  /** What was named, if `before` is its merge base with `after`. */
  readonly named?: Endpoint
}

/**
 * The two sides that the arguments name, read as git reads them: none is `HEAD` and the work tree, `a` is `a` and the
 * work tree, `a..b` is two commits, `a...b` is their merge base and `b`. A name left out next to the dots is `HEAD`.
 * Throws `Failure` if a commit is missing.
 */
export async function readEndpoints(
  first: string | undefined,
  second: string | undefined,
  { cwd }: FlagsFolder,
  git: Git,
): Promise<Endpoints> {
  const range = /^(.*?)(\.\.\.?)(.*)$/s.exec(first ?? "")
  if (range === null) {
    const workTree = { kind: "work-tree", name: "the work tree" } as const
    return {
      before: await readCommit(first ?? "HEAD", cwd, git),
      after: second === undefined ? workTree : await readCommit(second, cwd, git),
    }
  }
  if (second !== undefined)
    throw new Failure(`\`${first}\` already names both sides: leave out \`${second}\``)
  const [, left = "", dots, right = ""] = range
  const before = await readCommit(left || "HEAD", cwd, git)
  const after = await readCommit(right || "HEAD", cwd, git)
  return dots === "..."
    ? { before: await mergeBase(before, after, cwd, git), after, named: before }
    : { before, after }
}

/**
 * The commit with a name, or nothing if `HEAD` has no commit yet. Throws `Failure` if this clone does not have it, with the
 * way to get it.
 */
export async function readCommit(name: string, cwd: string, git: Git): Promise<Endpoint> {
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`]
  const found = await git(args, { cwd })
  const revision = found.stdout.toString("utf8").trim()
  // For `^a`, all that `a` does not reach, git prints a commit after the same sign.
  if (found.status === 0 && !revision.startsWith("^")) return { kind: "commit", name, revision }
  if (name === "HEAD") {
    const branch = await git(["symbolic-ref", "--quiet", "HEAD"], { cwd })
    if (branch.status === 0) return { kind: "nothing", name: "nothing, because there is no commit yet" }
  }
  throw new Failure(`no commit \`${name}\` in this clone: check its name, or ${await fix(cwd, git)}`)
}

/** When a side was made, in milliseconds since the epoch: a commit's date, so that its diffs are the same at every hour, else `now`. */
export async function timeOf(
  endpoint: Endpoint,
  now: number,
  { cwd }: FlagsFolder,
  git: Git,
): Promise<number> {
  if (endpoint.kind !== "commit") return now
  const { stdout } = await git(["show", "--no-patch", "--format=%ct", endpoint.revision], { cwd })
  return commitTime(stdout.toString("utf8"))
}

/** Whether the side after has all commits of the base that was named, which is then what `before` is. */
export async function isTip(
  { before, after, named = before }: Endpoints,
  { cwd }: FlagsFolder,
  git: Git,
): Promise<boolean> {
  const [tip, head] = [revisionOf(named), revisionOf(after) ?? "HEAD"]
  if (tip === null) return false
  return (await git(["merge-base", "--is-ancestor", tip, head], { cwd })).status === 0
}

async function mergeBase(a: Endpoint, b: Endpoint, cwd: string, git: Git): Promise<Endpoint> {
  if (a.kind !== "commit" || b.kind !== "commit") return a
  const found = await git(["merge-base", a.revision, b.revision], { cwd })
  const revision = found.stdout.toString("utf8").trim()
  if (found.status === 0)
    return { kind: "commit", name: `the merge base of ${a.name} and ${b.name}`, revision }
  const how = await fix(cwd, git)
  throw new Failure(`\`${a.name}\` and \`${b.name}\` have no commit in common here: ${how}`)
}

/** Whether a clone lacks old commits. */
export async function isShallow(cwd: string, git: Git): Promise<boolean> {
  const { stdout } = await git(["rev-parse", "--is-shallow-repository"], { cwd })
  return stdout.toString("utf8").trim() === "true"
}

/** How to get the commits that a clone lacks. */
async function fix(cwd: string, git: Git): Promise<string> {
  return (await isShallow(cwd, git))
    ? "fetch the whole history, because the clone is shallow (git fetch --unshallow; in a workflow fetch-depth: 0)"
    : "fetch it (git fetch origin; in a workflow fetch-depth: 0)"
}
